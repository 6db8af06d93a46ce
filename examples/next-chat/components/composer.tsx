import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';

const ACCEPTED = 'image/*,application/pdf';

/** Question and files. Enter sends, Shift+Enter breaks the line. */
export function Composer({
  isBusy,
  onSend,
  onStop,
}: {
  isBusy: boolean;
  onSend: (message: { text: string; files?: FileList }) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const picker = useRef<HTMLInputElement>(null);

  function choose(chosen: readonly File[]) {
    setFiles([...chosen]);
    // The same file can be chosen again after it was removed.
    if (picker.current !== null) picker.current.value = '';
  }

  function send(event?: FormEvent) {
    event?.preventDefault();
    if (isBusy || text.trim() === '') return;
    onSend({ text, ...(files.length > 0 && { files: fileListOf(files) }) });
    setText('');
    choose([]);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form className="composer" onSubmit={send}>
      {files.length > 0 && (
        <ul className="files" aria-label="Files to send">
          {files.map((file) => (
            <li key={`${file.name}-${file.lastModified}`}>
              {file.name}
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                onClick={() => choose(files.filter((other) => other !== file))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        aria-label="Message"
        placeholder="Ask anything"
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <label className="attach">
          <input
            ref={picker}
            type="file"
            multiple
            accept={ACCEPTED}
            aria-label="Attach files"
            onChange={(event) => choose([...files, ...(event.target.files ?? [])])}
          />
          <span aria-hidden="true">Attach</span>
        </label>
        {isBusy ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}

function fileListOf(files: readonly File[]): FileList {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer.files;
}
