import { useRef, useState } from 'react'
import { useHasSessionEnded } from '#account/web/account.tsx'
import { useComposing } from '#base/web/composing.ts'
import { clearDraft } from '#base/editor/draft-store.ts'
import { Editor } from '#base/editor/editor.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { newUuid } from '#base/web/key.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import { messageOf } from '#base/validation.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { acceptedPictures, useUploads } from '#file/web/file.ts'
import { maxMessageLength, send } from '#message/contract.ts'
import { outgoing, add, type Outgoing } from '#message/web/outbox.ts'
import { delivered } from '#message/web/send-out.ts'
import { Lantern } from '#red-envelope/web/red-envelope.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { ownDraftKey } from '#writing/web/writing.tsx'
import css from '#message/web/box.module.css'

type Props = { userId: string; name: string; /** A captcha comes first. */ asksCaptcha: boolean; written: () => void }

// A message has neither headings nor hidden parts.
const excludedTools = 'heading subheading bulletList orderedList taskList quote table rule mention hidden undo redo'.split(' ')

/** The box for a message. It leaves the box at once, and is stored until the site has it. */
export function Box({ userId, name, asksCaptcha, written }: Props) {
  const words = useWords('message')
  const { hiddenTools, open } = useSite()
  const files = useUploads({ takesAttachments: true })
  const hasEnded = useHasSessionEnded()
  const draftKey = ownDraftKey(`message ${userId}`)
  const form = useRef<HTMLFormElement>(null)
  const { wrong, write, submit } = useMessage({ userId, asksCaptcha, draftKey, written })
  useComposing(form)
  const giving = useEnvelopeDialog()
  const pending = outgoing.use().find((item) => item.userId === userId && item.asksCaptcha && !item.wrong)
  return (
    <>
      {pending && <CaptchaPrompt key={pending.key} item={pending} />}
      <form
        ref={form}
        className={css.box}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Editor
          key={draftKey}
          label={words('yours')}
          placeholder={words('placeholder', { name })}
          size="compact"
          draftKey={draftKey}
          onChange={write}
          hidden={[...excludedTools, ...hiddenTools.comment]}
          accept={acceptedPictures}
          files={files}
          maxText={maxMessageLength}
          error={wrong}
          note={hasEnded && words('sessionEnded')}
          beside={<ComposerButtons give={open.redEnvelopes ? giving.open : null} />}
        />
      </form>
      {giving.part && (
        <giving.part.GiveEnvelope {...{ userId, name, draftKey, asksCaptcha, written }} isOpen={giving.isOpen} close={giving.close} />
      )}
    </>
  )
}

/** The buttons beside the text: one to add a red envelope, and one to send. */
function ComposerButtons({ give }: { give: (() => void) | null }) {
  const words = useWords('message')
  const label = words('giveEnvelope')
  return (
    <>
      {give && (
        <button type="button" className={`icon ${css.give}`} aria-label={label} title={label} onClick={give}>
          <Lantern size={20} />
        </button>
      )}
      <button className={css.send} aria-label={words('send')} onMouseDown={(event) => event.preventDefault()}>
        <StrokeIcon path="M3.5 10 16.500 4l-4 12.500-3-5z" />
      </button>
    </>
  )
}

/** The dialog for a red envelope, which loads at its first use. */
function useEnvelopeDialog() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const part = useLater(() => import('#message/web/give-envelope.tsx'), isOpen, close)
  return { isOpen, part, open: () => setOpen(true), close }
}

type ComposerOptions = Omit<Props, 'name'> & { draftKey: string }

function useMessage({ userId, asksCaptcha, draftKey, written }: ComposerOptions) {
  const say = useTranslate()
  const doc = useRef<Doc>(null)
  const [wrong, setWrong] = useState<string>()

  function write(next: Doc): void {
    doc.current = next
    setWrong(undefined)
  }

  function submit(): void {
    if (!doc.current || !hasText(doc.current)) return
    const message = { userId, body: doc.current, key: newUuid() }
    const { error } = send.input.safeParse(message, { reportInput: true })
    if (error?.issues[0]) {
      const { key, values } = messageOf(error.issues[0])
      return setWrong(say(key, values))
    }
    add({ ...message, ...(asksCaptcha && { asksCaptcha }) })
    doc.current = null
    clearDraft(draftKey)
    written()
  }
  return { wrong, write, submit }
}

/** Whether there is more than empty lines. */
function hasText({ content }: Doc): boolean {
  return content.some((block) => block.type !== 'paragraph' || block.content?.some((one) => one.type !== 'hardBreak'))
}

/** The captcha of a frequent sender; the message is sent along with it. */
function CaptchaPrompt({ item }: { item: Outgoing }) {
  const words = useWords('message')
  const [tries, setTries] = useState(0)
  const { userId, body, key } = item
  return (
    <div className={css.person}>
      <Form
        endpoint={send}
        extra={{ userId, body, key }}
        onSuccess={({ message }) => delivered(item, message)}
        onRefused={() => setTries(tries + 1)}
      >
        <p>{words('personFirst')}</p>
        <CaptchaField purpose="message" isNeeded tries={tries} />
        <Submit>{words('send')}</Submit>
      </Form>
    </div>
  )
}
