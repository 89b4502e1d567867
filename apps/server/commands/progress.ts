/** Tells how far a long deed is: on a terminal on one line that changes, elsewhere on one for each tenth. */
export function progress(): (done: number, of: number) => void {
  let shown = -1
  return (done, of) => {
    const percent = of > 0 ? Math.floor((done / of) * 100) : 100
    const step = process.stderr.isTTY ? percent : Math.floor(percent / 10) * 10
    if (step === shown) return
    shown = step
    process.stderr.write(process.stderr.isTTY ? `\rWriting … ${step} %${done === of ? '\n' : ''}` : `Writing … ${step} %\n`)
  }
}
