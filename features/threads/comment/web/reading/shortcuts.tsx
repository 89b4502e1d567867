import { focusLater } from '#base/web/focus-later.ts'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { currentStop } from '#base/web/keyboard-navigation.ts'
import { useThread, formToContinue } from '#comment/web/thread-context.tsx'
import { quoteSelected } from '#comment/web/reading/quoting.tsx'

/** The shortcuts of a thread. Those for members click the button of the current comment, if there is one. */
export function ThreadShortcuts() {
  const { mine } = useThread()
  return mine ? <MemberShortcuts /> : null
}

function MemberShortcuts() {
  const { writing, write } = useThread()
  useShortcuts('keys.here', [
    { keys: 'r', label: 'comment.reply', run: () => clickAction('reply') },
    { keys: 'q', label: 'comment.quote', run: () => quoteSelected(write) || clickAction('quote') },
    { keys: 'e', label: 'comment.edit', run: () => clickAction('edit') },
    { keys: '!', label: 'share.report', run: () => clickAction('report') },
    { keys: 'c', label: 'keys.comment', run: () => toComposer(() => write(formToContinue(writing))) },
  ])
  return null
}

function clickAction(action: string): void {
  const stop = currentStop()
  const button = stop?.querySelector<HTMLElement>(`[data-action="${action}"]`)
  button?.click()
  if (button && action !== 'quote' && action !== 'report') focusLater(() => stop?.closest('li[data-floor]') ?? null, 20)
}

function toComposer(open: () => void): void {
  open()
  const field = document.querySelector<HTMLElement>('[data-composer] [contenteditable="true"]')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}
