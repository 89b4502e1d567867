import { TextField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** Why staff do it, for the log alone. */
export function Reason() {
  const words = useWords('memberAdmin')
  return <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} required data-first />
}
