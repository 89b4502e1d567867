/** Reports progress: the step, how much of it is done, and the total, 0 if unknown. */
export type ReportProgress = (step: string, done: number, total: number) => void

const steps: Record<string, string> = {
  migrating: 'Migrating the database',
  sample: 'Adding the sample community',
  writing: 'Writing posts',
  counting: 'Counting',
  entering: 'Indexing posts for the search',
  checking: 'Checking the backup',
  restoring: 'Restoring tables',
  linking: 'Checking references',
  rows: 'Copying tables',
  files: 'Copying files',
}

/** Shows progress in the terminal on one changing line; elsewhere one line for each tenth. */
export function progressInTerminal(): ReportProgress {
  const { stderr } = process
  let lastLine = ''
  return (step, done, total) => {
    const percent = total > 0 ? Math.floor((done / total) * 100) : null
    const rounded = percent !== null && !stderr.isTTY ? Math.floor(percent / 10) * 10 : percent
    const line = `${steps[step] ?? step} …${rounded === null ? '' : ` ${rounded} %`}`
    if (line === lastLine) return
    lastLine = line
    stderr.write(stderr.isTTY && percent !== null ? `\r${line}${done === total ? '\n' : ''}` : `${line}\n`)
  }
}
