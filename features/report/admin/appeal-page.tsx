import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { Form, Submit, TextField, useForm } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { say } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { longest } from '#report/contract.ts'
import { ClaimMark, Person, Post } from '#report/admin/pieces.tsx'
import { decideAppeal, type appealView, type claimAppeal } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#report/admin/report.module.css'

type Appeal = Output<typeof appealView>

export function Page() {
  const words = useWords('reportAdmin')
  const found = useLoaderData<Appeal>()
  const { id, thing, author, appeal } = found
  const isOpen = appeal.outcome === null
  return (
    <>
      <p className="meta">
        <Link to="/admin/appeal">{words('appeals')}</Link>
      </p>
      <div className={css.head}>
        <h1>
          <span className="mark">{words(thing.kind)}</span> {thing.title}
        </h1>
        {isOpen && found.mayDecide && mayDo('report.decide') && <Claiming removalId={id} claim={found.claim} />}
      </div>
      <div className={css.both}>
        <div>
          <blockquote className={css.appeal}>
            <p className="meta">
              <Person of={author} /> · <Time at={appeal.at} />
            </p>
            {appeal.text}
          </blockquote>
          {found.isBack && <p className="note">{words('isBack')}</p>}
          <Post thing={thing} author={author} segments={found.segments} publishedAt={found.publishedAt} />
        </div>
        <div>
          <First found={found} />
          {isOpen ? <Second found={found} /> : <Answered found={found} />}
        </div>
      </div>
    </>
  )
}

function Claiming({ removalId, claim }: { removalId: string; claim: Appeal['claim'] }) {
  const words = useWords('reportAdmin')
  const take = useDeed<typeof claimAppeal>('/admin/appeal/claim')
  if (claim) return <ClaimMark claim={claim} />
  return (
    <button type="button" className="button quiet" disabled={take.isBusy} onClick={() => void take.go({ removalId })}>
      {words('take')}
    </button>
  )
}

/** How it was decided at first. */
function First({ found: { removedBy, removedAt, why, result, decisionRemark, reports } }: { found: Appeal }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  return (
    <section className={css.decided} aria-labelledby="first">
      <h2 id="first">{words('firstDecision')}</h2>
      <p className="meta">
        {removedBy} · <Time at={removedAt} />
      </p>
      <Quote by={words('why')} text={why} />
      <Quote by={words('result')} text={result} />
      <Quote by={words('remark')} text={decisionRemark} />
      <ul>
        {reports.map(({ category, reason }, index) => (
          <li key={index}>
            {category[language]} {reason && <q>{reason}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Quote({ by, text }: { by: string; text: string }) {
  if (!text) return null
  return (
    <blockquote>
      <p className="meta">{by}</p>
      {text}
    </blockquote>
  )
}

function Second({ found }: { found: Appeal }) {
  const words = useWords('reportAdmin')
  const go = useNavigate()
  const { revalidate } = useRevalidator()
  if (!mayDo('report.decide')) return null
  if (!found.mayDecide) return <p className="note">{words('forAnother')}</p>

  function decided(): Promise<void> | void {
    say(words('answeredNow'))
    return go('/admin/appeal')
  }

  return (
    <section className={css.decision} aria-labelledby="decision">
      <h2 id="decision">{words('decideAppeal')}</h2>
      <Form sends={decideAppeal} along={{ removalId: found.id, version: found.version }} then={decided} refused={() => void revalidate()}>
        <Unsaved />
        <Outcomes />
        <TextField name="answer" label={words('answer')} help={words('answerHelp')} maxLength={longest.result} rows={3} />
        <TextField name="remark" label={words('remark')} help={words('remarkHelp')} maxLength={longest.result} rows={2} />
        <Submit>{words('decide')}</Submit>
      </Form>
    </section>
  )
}

function Outcomes() {
  const words = useWords('reportAdmin')
  const wrong = useForm().errors['outcome']
  return (
    <fieldset className={css.outcomes}>
      <legend>{words('outcome')}</legend>
      {(['restored', 'confirmed'] as const).map((outcome) => (
        <label key={outcome}>
          <input type="radio" name="outcome" value={outcome} />
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

function Answered({ found: { appeal, answeredBy, remark } }: { found: Appeal }) {
  const words = useWords('reportAdmin')
  return (
    <section className={css.decided} aria-labelledby="decision">
      <h2 id="decision">{words('decision')}</h2>
      <p>
        <strong>{words(appeal.outcome ?? 'pending')}</strong> · {answeredBy} {appeal.answeredAt && <Time at={appeal.answeredAt} />}
      </p>
      <Quote by={words('answer')} text={appeal.answer} />
      <Quote by={words('remark')} text={remark} />
    </section>
  )
}
