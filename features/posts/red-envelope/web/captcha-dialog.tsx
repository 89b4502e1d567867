import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { openEnvelope } from '#red-envelope/contract.ts'

type Props = {
  envelopeId: string
  isOpen: boolean
  close: () => void
  opened: (answer: Output<typeof openEnvelope>) => Promise<void>
  /** Called when the envelope cannot be opened, whatever the captcha. */
  refused: (why: string) => void
}

/** Opens an envelope with a captcha. A wrong answer is shown at its field, with a new captcha. */
export function CaptchaDialog({ envelopeId, isOpen, close, opened, refused }: Props) {
  const words = useWords('redEnvelope')
  const [tries, setTries] = useState(0)

  function take(fields: Record<string, string>): void {
    setTries(tries + 1)
    if (!('captcha' in fields)) refused(Object.values(fields).join(' '))
  }

  return (
    <Dialog title={words('openIt')} isOpen={isOpen} close={close}>
      <Form endpoint={openEnvelope} extra={{ envelopeId }} onSuccess={opened} onRefused={take}>
        <p>{words('captchaWhat')}</p>
        <CaptchaField purpose="redEnvelope" isNeeded tries={tries} />
        <p className="actions">
          <Submit>{words('openNow')}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}
