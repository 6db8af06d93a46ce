import type { FileUIPart } from 'ai';

/** A file that came with a question. */
export function Attachment({ file }: { file: FileUIPart }) {
  const name = file.filename ?? 'Attached file';
  // Its bytes are in the address, and no optimizer has to fetch them.
  if (file.mediaType.startsWith('image/')) return <img className="attached" src={file.url} alt={name} />;
  return <p className="file">{name}</p>;
}
