/** Reads the bytes and does nothing with them: what the harness costs by itself. */
export const createModel = ({ fetch }) => ({
  async doStream() {
    const { body } = await fetch();
    return { stream: body };
  },
});

export const textOf = () => undefined;
