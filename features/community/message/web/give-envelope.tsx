import { useEffect, useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { newUuid } from '#base/web/key.ts'
import { useStoredFields, type FieldValues } from '#base/editor/stored-fields.ts'
import { storeFields } from '#base/editor/draft-store.ts'
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
  const stored = useStoredFields(draftKey)
  const [{ key, tries }, start] = useState({ key: newUuid(), tries: 0 })
  return (
    <Dialog title={words('giveTo', { name })} isOpen={isOpen} close={close}>
      <Form
        endpoint={send}
        extra={{ userId, key, envelopeKind: 'targeted' }}
        onSuccess={({ message }) => {
          storeFields(draftKey, {})
          start({ key: newUuid(), tries: 0 })
          close()
          showSent(userId, message)
          written()
        }}
        onRefused={() => start({ key, tries: tries + 1 })}
      >
        <div key={stored.key} onInput={stored.store}>
          <EnvelopeInMessage first={stored.initial} greeting={<WishField first={stored.initial} />} />
        </div>
        <CaptchaField purpose="message" isNeeded={asksCaptcha} tries={tries} />
        <p className="actions">
          <Submit>{words('giveNow')}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}

function WishField({ first }: { first: FieldValues }) {
  const words = useWords('redEnvelope')
  const { setValue } = useForm()
  const [wish, setWish] = useState(first['body'] ?? '')
  const text = wish.trim() || words('standardGreeting')
  useEffect(() => setValue('body', saying(text)), [setValue, text])
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
