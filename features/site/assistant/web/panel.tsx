import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject, type SyntheticEvent } from 'react'
import { Chat } from '#assistant/web/chat.tsx'
import { History } from '#assistant/web/history.tsx'
import { newConversation, restoreLast } from '#assistant/web/conversation.ts'
import { assistantIsOpen } from '#base/web/assistant.ts'
import { useApi } from '#base/web/api.ts'
import { isComposing } from '#base/web/composing.ts'
import { useKeyboardInset } from '#base/editor/keyboard.ts'
import { insertions } from '#base/editor/open-editors.ts'
import { Icon, type IconName } from '#base/web/icon.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { openModals, dialogHistoryStep, type HistoryStep } from '#base/web/history-step.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/panel.module.css'

/** The assistant beside the page, which stays usable; over it on a phone, and above another open dialog. */
export function Panel() {
  const titleId = useId()
  const isOpen = assistantIsOpen.use()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isInHistory, setInHistory] = useState(false)
  const step = useOpening(dialog, isOpen)
  useKeyboardInset()
  useLast()

  // React bubbles the event of a nested dialog, too.
  function closed({ target }: SyntheticEvent): void {
    if (target === dialog.current) assistantIsOpen.set(false)
  }

  function press(event: KeyboardEvent): void {
    const isWithin = event.target instanceof Element && event.target.closest('dialog, [popover]') === dialog.current
    if (event.key === 'Escape' && isWithin && !isComposing(event.nativeEvent)) dialog.current?.close()
  }

  // The target page of a link in an answer replaces the panel.
  function leave(): void {
    if (!dialog.current?.matches(':modal')) return
    step.current?.release()
    dialog.current.close()
  }

  function begin(): void {
    newConversation()
    setInHistory(false)
    dialog.current?.querySelector('textarea')?.focus()
  }

  return (
    <dialog ref={dialog} className={css.panel} aria-labelledby={titleId} onClose={closed} onKeyDown={press}>
      <Head {...{ titleId, isInHistory, setInHistory, begin }} close={() => dialog.current?.close()} />
      {isOpen && isInHistory && <History close={() => setInHistory(false)} />}
      <Chat isShown={isOpen && !isInHistory} leave={leave} />
    </dialog>
  )
}

type HeadProps = {
  titleId: string
  isInHistory: boolean
  setInHistory: (is: boolean) => void
  begin: () => void
  close: () => void
}

function Head({ titleId, isInHistory, setInHistory, begin, close }: HeadProps) {
  const words = useWords('assistant')
  return (
    <div className={css.head}>
      <h2 id={titleId}>{words(isInHistory ? 'history' : 'title')}</h2>
      <Tool
        label={words(isInHistory ? 'backToTalk' : 'history')}
        icon={isInHistory ? 'left' : 'list'}
        act={() => setInHistory(!isInHistory)}
      />
      <Tool label={words('newTalk')} icon="plus" act={begin} />
      <Tool label={words('close')} icon="close" act={close} />
    </div>
  )
}

function Tool({ label, icon, act }: { label: string; icon: IconName; act: () => void }) {
  return (
    <button type="button" className="icon" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  )
}

function useOpening(dialog: RefObject<HTMLDialogElement | null>, isOpen: boolean): RefObject<HistoryStep | null> {
  const step = useRef<HistoryStep>(null)
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    if (!isOpen) return current.close()
    const below = openModals()
    if (isOnPhone() || below.length > 0) {
      current.showModal()
      step.current = dialogHistoryStep(current, below, (next) => void (step.current = next))
    } else current.show()
    document.documentElement.toggleAttribute('data-beside', !current.matches(':modal'))
    current.querySelector('textarea')?.focus()
    return () => {
      document.documentElement.removeAttribute('data-beside')
      step.current?.leave()
      step.current = null
    }
  }, [dialog, isOpen])
  // Inserted text is visible in the editor.
  useEffect(() => insertions.watch(() => dialog.current?.matches(':modal') && dialog.current.close()), [dialog])
  return step
}

function useLast(): void {
  const api = useApi()
  const words = useWords('assistant')
  const [means] = useState({ api, words })
  useEffect(() => restoreLast(means), [means])
}
