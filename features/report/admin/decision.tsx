import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit, TextField, useForm } from '#base/web/form.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { longest } from '#report/contract.ts'
import { decideCase, type caseView } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#report/admin/report.module.css'

type Outcome = 'failed' | 'succeeded'

/** Decides about all reports on a post at once. */
export function Decision({ found }: { found: Output<typeof caseView> }) {
  const words = useWords('reportAdmin')
  const go = useNavigate()
  const { revalidate } = useRevalidator()
  const [outcome, choose] = useState<Outcome | null>(null)
  const [removes, setRemoves] = useState(false)
  const mayRemove = found.now.status === 'published' && mayDo('content.remove')

  function decided(): Promise<void> | void {
    say(words('decidedNow'))
    return go('/admin/report')
  }

  return (
    <section className={css.decision} aria-labelledby="decision">
      <h2 id="decision">{words('decide')}</h2>
      <Form sends={decideCase} along={{ caseId: found.id, version: found.version }} then={decided} refused={() => void revalidate()}>
        <Unsaved />
        <Outcomes choose={choose} />
        {outcome === 'succeeded' && mayRemove && (
          <Field
            name="removes"
            type="checkbox"
            label={words(`${found.thing.kind}Remove`)}
            help={words('removeHelp')}
            onChange={(event) => setRemoves(event.currentTarget.checked)}
          />
        )}
        {outcome === 'succeeded' && mayRemove && removes && (
          <TextField name="why" label={words('why')} help={words('whyHelp')} maxLength={longest.result} rows={3} />
        )}
        <TextField name="result" label={words('result')} help={words('resultHelp')} maxLength={longest.result} rows={3} />
        <TextField name="remark" label={words('remark')} help={words('remarkHelp')} maxLength={longest.result} rows={2} />
        <Submit>{words('decide')}</Submit>
      </Form>
    </section>
  )
}

function Outcomes({ choose }: { choose: (outcome: Outcome) => void }) {
  const words = useWords('reportAdmin')
  const { errors } = useForm()
  const wrong = errors['outcome']
  return (
    <fieldset className={css.outcomes}>
      <legend>{words('outcome')}</legend>
      {(['succeeded', 'failed'] as const).map((outcome) => (
        <label key={outcome}>
          <input type="radio" name="outcome" value={outcome} onChange={() => choose(outcome)} />
          <span>
            {words(outcome)}
            <small>{words(`${outcome}What`)}</small>
          </span>
        </label>
      ))}
      <p className="wrong" role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </fieldset>
  )
}
