/** Something over the page that has a step of its own in the history. */
export type Step = {
  /** It was closed: the history goes back by its step. */
  leave(): void
  /** One goes on to another page from here, which takes the place of its step. */
  forget(): void
}

type Entry = { back: () => void; isLeft: boolean; place: string; gone: Promise<void>; end: () => void }

const entries: Entry[] = []

/** Gives what lies over the page a step in the history, so that going back calls `back` and leaves the page as it is. */
export function stepOver(back: () => void): Step {
  let end: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (end = resolve))
  const entry: Entry = { back, isLeft: false, place: place(), gone, end }
  history.pushState({ ...history.state, isOver: true }, '')
  entries.push(entry)
  addEventListener('popstate', stepBack, true)

  function forget(): void {
    if (entries.includes(entry)) entries.splice(entries.indexOf(entry), 1)
    entry.end()
  }

  function leave(): void {
    if (entry.isLeft || !entries.includes(entry)) return
    if (history.state?.isOver !== true || entry.place !== place()) return forget()
    entry.isLeft = true
    history.back()
  }
  return { leave, forget }
}

/** The step of an open dialog. A dialog above it is what going back closes first, after which it has another step. */
export function stepOfDialog(dialog: HTMLDialogElement, below: readonly HTMLDialogElement[], again: (step: Step) => void): Step {
  return stepOver(() => {
    const above = modals().findLast((one) => one !== dialog && !below.includes(one))
    if (!above) return dialog.close()
    if (above.dispatchEvent(new Event('cancel', { cancelable: true }))) above.close()
    again(stepOfDialog(dialog, below, again))
  })
}

export function modals(): HTMLDialogElement[] {
  return [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')]
}

/** Resolves once the last step is gone: going back by it later would take back the page that comes next. */
export function lastStepGone(): Promise<void> {
  return entries.at(-1)?.gone ?? Promise.resolve()
}

function stepBack(event: PopStateEvent): void {
  const entry = entries.pop()
  if (!entry) return removeEventListener('popstate', stepBack, true)
  // The pages' router would load this page anew.
  if (entry.place === place()) event.stopImmediatePropagation()
  if (!entry.isLeft) entry.back()
  entry.end()
}

/** The page that the history stands at, by its path and the key of the router: the query also says how far one has read. */
function place(): string {
  return `${history.state?.key} ${location.pathname}`
}
