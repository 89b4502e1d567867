import { useId } from 'react'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import type { WayView } from '#payment/contract.ts'
import { methodWords, nextWords, placeWords, providerWords } from '#payment/web/word-keys.ts'
import css from '#payment/web/payment.module.css'

type OptionsProps = { ways: readonly WayView[]; chosen: WayView; choose: (way: WayView) => void }

export function PaymentOptions({ ways, chosen, choose }: OptionsProps) {
  const words = useWords('payment')
  const { errors, clearError } = useForm()
  const id = useId()
  const wrong = errors['way']
  return (
    <div
      role="radiogroup"
      tabIndex={-1}
      className={`field ${css.ways}`}
      aria-labelledby={`${id}-label`}
      aria-describedby={wrong ? `${id}-wrong` : undefined}
      aria-invalid={wrong ? true : undefined}
    >
      <p id={`${id}-label`} className={css.label}>
        {words('way')}
      </p>
      {ways.map((way) => (
        <label key={optionKey(way)} className={css.way}>
          <input
            type="radio"
            name="way"
            value={optionKey(way)}
            checked={optionKey(way) === optionKey(chosen)}
            onChange={() => {
              clearError('way')
              choose(way)
            }}
          />
          <span>
            {words(providerWords[way.provider])}
            {ways.some((other) => other.provider === way.provider && other !== way) && (
              <span className="meta"> · {words(methodWords[way.method])}</span>
            )}
          </span>
        </label>
      ))}
      <p className="help">
        {words(nextWords[chosen.method], { provider: words((chosen.method === 'page' ? placeWords : providerWords)[chosen.provider]) })}
      </p>
      <p id={`${id}-wrong`} className="wrong" role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </div>
  )
}

export function optionKey({ provider, method }: WayView): string {
  return `${provider} ${method}`
}
