import { useEffect, useId, useRef, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react'
import { draft, cancelEdit, write } from '#assistant/web/draft.ts'
import { stop } from '#assistant/web/conversation.ts'
import { isComposing } from '#base/web/composing.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/panel.module.css'

type ComposerProps = {
  conversationId: string | null
  isRunning: boolean
  knowsTopic: boolean
  /** Answers left today; null while unknown. */
  left: number | null
  send: (text: string) => void
}

const fewLeft = 10

/** The input box. Ctrl or ⌘ with Enter sends; a running answer can be stopped here, while text can be typed. */
export function Composer({ conversationId, isRunning, send, ...about }: ComposerProps) {
  const words = useWords('assistant')
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const { text, editing, wrong } = draft.use()
  const isBlank = !text.trim()
  useEffect(() => {
    if (editing) box.current?.focus()
  }, [editing])

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    // The clicked button is replaced by the other one.
    box.current?.focus()
    if (!isRunning && !isBlank) send(text)
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event.nativeEvent)) submit(event)
  }

  return (
    <form className={css.composer} onSubmit={submit}>
      {editing && <Editing leave={() => cancelEdit(conversationId)} />}
      <textarea
        ref={box}
        rows={2}
        value={text}
        aria-label={words('prompt')}
        aria-describedby={`${id}-about`}
        aria-invalid={wrong !== null}
        placeholder={words('placeholder')}
        onChange={(event) => write(conversationId, event.target.value)}
        onKeyDown={press}
      />
      <Wrong says={wrong} />
      <div className={css.sending}>
        <About id={`${id}-about`} {...about} />
        {isRunning ? (
          <Stop key="stop" then={() => box.current?.focus()} />
        ) : (
          <button key="send" className="button" disabled={isBlank}>
            {words('send')}
          </button>
        )}
      </div>
    </form>
  )
}

function Stop({ then }: { then: () => void }) {
  const words = useWords('assistant')

  // The second click of a double click on send must not stop the answer.
  function act({ detail }: MouseEvent): void {
    if (detail > 1) return
    stop()
    then()
  }

  return (
    <button type="button" className="button quiet" onClick={act}>
      {words('stop')}
    </button>
  )
}

function Wrong({ says }: { says: string | null }) {
  return (
    <p className="wrong" role="alert">
      {says}
    </p>
  )
}

function Editing({ leave }: { leave: () => void }) {
  const words = useWords('assistant')
  return (
    <p className={css.editing}>
      {words('editing')}
      <button type="button" className="plain" onClick={leave}>
        {words('cancelEdit')}
      </button>
    </p>
  )
}

/** A note on the assistant's knowledge, its limits and today's remaining answers. */
function About({ id, knowsTopic, left }: Pick<ComposerProps, 'knowsTopic' | 'left'> & { id: string }) {
  const words = useWords('assistant')
  return (
    <p id={id} className={css.about}>
      {knowsTopic && <span>{words('knowsTopic')} </span>}
      <span>{left !== null && left <= fewLeft ? words('leftToday', { left }) : words('mayErr')}</span>
    </p>
  )
}
