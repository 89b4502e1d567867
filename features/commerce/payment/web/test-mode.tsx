import { useWords } from '#base/web/words.tsx'
import css from '#payment/web/payment.module.css'

/** The notice shown wherever the sandbox is involved. */
export function TestMode() {
  const words = useWords('payment')
  return (
    <p className={`note ${css.test}`}>
      <strong>{words('testMode')}</strong> {words('testModeWhat')}
    </p>
  )
}
