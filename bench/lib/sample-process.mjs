/** The process of one sample: runs `sample` of a measure and tells the figures to its parent. */
const [measure, task] = process.argv.slice(2);
const { sample } = await import(`../measures/${measure}.mjs`);
const figures = await sample(JSON.parse(task));
process.send(figures, () => process.exit(0));
