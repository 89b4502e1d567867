/** A history entry for an overlay. */
export type HistoryStep = {
  /** The overlay was closed: goes back by one entry. */
  leave(): void
  /** The next page replaces the entry. */
  release(): void
}

type Entry = { back: () => void; isLeft: boolean; place: string; gone: Promise<void>; end: () => void }

const entries: Entry[] = []

/** Adds a history entry for an overlay: going back calls `back` and leaves the page as it is. */
export function pushHistoryStep(back: () => void): HistoryStep {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const entry: Entry = { back, isLeft: false, place: pageKey(), gone: ended, end }
  history.pushState({ ...history.state, isOver: true }, '')
  entries.push(entry)
  addEventListener('popstate', stepBack, true)

  function forget(): void {
    if (entries.includes(entry)) entries.splice(entries.indexOf(entry), 1)
    entry.end()
  }

  function leave(): void {
    if (entry.isLeft || !entries.includes(entry)) return
    if (history.state?.isOver !== true || entry.place !== pageKey()) return forget()
    entry.isLeft = true
    history.back()
  }
  return { leave, release: forget }
}

/** The history entry of an open dialog. Going back closes a dialog above it first, which then gets a new entry. */
export function dialogHistoryStep(
  dialog: HTMLDialogElement,
  below: readonly HTMLDialogElement[],
  again: (step: HistoryStep) => void,
): HistoryStep {
  return pushHistoryStep(() => {
    const above = openModals().findLast((one) => one !== dialog && !below.includes(one))
    if (!above) return dialog.close()
    if (above.dispatchEvent(new Event('cancel', { cancelable: true }))) above.close()
    again(dialogHistoryStep(dialog, below, again))
  })
}

export function openModals(): HTMLDialogElement[] {
  return [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')]
}

/** Resolves once the last entry is removed: a later step back would undo the next navigation. */
export function historySettled(): Promise<void> {
  return entries.at(-1)?.gone ?? Promise.resolve()
}

function stepBack(event: PopStateEvent): void {
  const entry = entries.pop()
  if (!entry) return removeEventListener('popstate', stepBack, true)
  // The router would reload this page.
  if (entry.place === pageKey()) event.stopImmediatePropagation()
  if (!entry.isLeft) entry.back()
  entry.end()
}

/** The current page, by its path and router key: the query also holds the reading position. */
function pageKey(): string {
  return `${history.state?.key} ${location.pathname}`
}
