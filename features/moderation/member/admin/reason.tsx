import { TextField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** The reason for staff, shown only in the audit log. */
export function Reason() {
  const words = useWords('memberAdmin')
  return <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} required data-first />
}
