import type { ReactNode, Ref } from 'react'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#report/admin/report.module.css'

type OutcomesProps<Outcome extends string> = {
  ref?: Ref<HTMLFieldSetElement>
  of: readonly Outcome[]
  chosen: Outcome | null
  choose: (outcome: Outcome) => void
  /** A note on outcomes that are not available. */
  children?: ReactNode
}

/** The possible outcomes, each with its effect, and the error of the choice. */
export function Outcomes<Outcome extends string>({ ref, of, chosen, choose, children }: OutcomesProps<Outcome>) {
  const words = useWords('reportAdmin')
  const { errors } = useForm()
  const wrong = errors['outcome']
  return (
    <fieldset ref={ref} className={css.outcomes}>
      <legend>{words('outcome')}</legend>
      {of.map((outcome) => (
        <label key={outcome}>
          <input type="radio" name="outcome" value={outcome} checked={outcome === chosen} onChange={() => choose(outcome)} />
          <span>
            {words(outcome)}
            <small>{words(`${outcome}What`)}</small>
          </span>
        </label>
      ))}
      {children}
      <p className="wrong" role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </fieldset>
  )
}
