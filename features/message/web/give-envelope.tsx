import { useEffect, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { newUuid } from '#base/web/key.ts'
import { useKeptFields, type Fields } from '#base/web/kept-fields.ts'
import { storeFields } from '#base/web/editor/draft-place.ts'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { send } from '#message/contract.ts'
import { showSent } from '#message/web/send-out.ts'
import { EnvelopeInMessage } from '#red-envelope/web/red-envelope.tsx'

type Props = {
  userId: string
  name: string
  draftKey: string
  /** A captcha comes first. */
  asksCaptcha: boolean
  isOpen: boolean
  close: () => void
  written: () => void
}

/** A red envelope for the partner. It is a message of its own with a greeting; it is sent at once, or the dialog says why not. */
export function GiveEnvelope({ userId, name, draftKey, asksCaptcha, isOpen, close, written }: Props) {
  const words = useWords('redEnvelope')
  const kept = useKeptFields(draftKey)
  const [{ key, tries }, start] = useState({ key: newUuid(), tries: 0 })
  return (
    <Dialog title={words('giveTo', { name })} isOpen={isOpen} close={close}>
      <Form
        sends={send}
        along={{ userId, key, envelopeKind: 'targeted' }}
        then={({ message }) => {
          storeFields(draftKey, {})
          start({ key: newUuid(), tries: 0 })
          close()
          showSent(userId, message)
          written()
        }}
        refused={() => start({ key, tries: tries + 1 })}
      >
        <div key={kept.key} onInput={kept.keep}>
          <EnvelopeInMessage first={kept.first} greeting={<WishField first={kept.first} />} />
        </div>
        <CaptchaField purpose="message" isNeeded={asksCaptcha} tries={tries} />
        <p className="deeds">
          <Submit>{words('giveNow')}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}

function WishField({ first }: { first: Fields }) {
  const words = useWords('redEnvelope')
  const { hold } = useForm()
  const [wish, setWish] = useState(first['body'] ?? '')
  const text = wish.trim() || words('standardGreeting')
  useEffect(() => hold('body', saying(text)), [hold, text])
  return (
    <Field
      name="body"
      label={words('greetingField')}
      maxLength={150}
      autoComplete="off"
      placeholder={words('standardGreeting')}
      defaultValue={first['body']}
      onChange={({ target }) => setWish(target.value)}
    />
  )
}

function saying(text: string): Doc {
  return { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
}
