import { focusLater } from '#base/web/focus-later.ts'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { stopNow } from '#base/web/walk.ts'
import { useDesk, writingOn } from '#comment/web/desk.tsx'
import { quoteSelected } from '#comment/web/reading/quoting.tsx'

/** The shortcuts of a thread. Those for members click the button of the current comment, if there is one. */
export function Keys() {
  const { mine } = useDesk()
  return mine ? <MembersKeys /> : null
}

function MembersKeys() {
  const { writing, write } = useDesk()
  useShortcuts('keys.here', [
    { keys: 'r', says: 'comment.reply', run: () => press('reply') },
    { keys: 'q', says: 'comment.quote', run: () => quoteSelected(write) || press('quote') },
    { keys: 'e', says: 'comment.edit', run: () => press('edit') },
    { keys: '!', says: 'share.report', run: () => press('report') },
    { keys: 'c', says: 'keys.comment', run: () => toComposer(() => write(writingOn(writing))) },
  ])
  return null
}

function press(deed: string): void {
  const stop = stopNow()
  const button = stop?.querySelector<HTMLElement>(`[data-deed="${deed}"]`)
  button?.click()
  if (button && deed !== 'quote' && deed !== 'report') focusLater(() => stop?.closest('li[data-floor]') ?? null, 20)
}

function toComposer(open: () => void): void {
  open()
  const field = document.querySelector<HTMLElement>('[data-composer] [contenteditable="true"]')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}
