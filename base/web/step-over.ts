/** Something over the page that has a step of its own in the history. */
export type Step = {
  /** It was closed: the history goes back by its step. */
  leave(): void
  /** One goes on to another page from here, which takes the place of its step. */
  forget(): void
}

type Entry = { back: () => void; isLeft: boolean; place: string }

const entries: Entry[] = []

/** Gives what lies over the page a step in the history, so that going back calls `back` and leaves the page as it is. */
export function stepOver(back: () => void): Step {
  const entry: Entry = { back, isLeft: false, place: place() }
  history.pushState({ ...history.state, isOver: true }, '')
  entries.push(entry)
  addEventListener('popstate', stepBack, true)

  function forget(): void {
    if (entries.includes(entry)) entries.splice(entries.indexOf(entry), 1)
  }

  function leave(): void {
    if (entry.isLeft || !entries.includes(entry)) return
    if (history.state?.isOver !== true || entry.place !== place()) return forget()
    entry.isLeft = true
    history.back()
  }
  return { leave, forget }
}

function stepBack(event: PopStateEvent): void {
  const entry = entries.pop()
  if (!entry) return removeEventListener('popstate', stepBack, true)
  // The pages' router would load this page anew.
  if (entry.place === place()) event.stopImmediatePropagation()
  if (!entry.isLeft) entry.back()
}

/** The page that the history stands at, by its address and the key of the router. */
function place(): string {
  return `${history.state?.key} ${location.href}`
}
