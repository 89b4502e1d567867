import { CaptchaField } from '#account/web/captcha-field.tsx'
import { ReportDialog as Dialog } from '#report/web/report.tsx'

/** Where a post is reported, with the captcha for those who report much. */
export function ReportDialog() {
  return <Dialog Captcha={CaptchaField} />
}
