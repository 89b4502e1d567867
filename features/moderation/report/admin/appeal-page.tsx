import { useRef, useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Form, Submit, useForm } from '#base/web/form.tsx'
import { Quote } from '#base/web/quote.tsx'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { BlockKeysWhileBusy, focusDecisionText, DecisionTextField } from '#report/admin/decision-keys.tsx'
import { Outcomes } from '#report/admin/outcomes.tsx'
import { ClaimMark, MemberLink, Post, PostSummary } from '#report/admin/post-view.tsx'
import { TakeBack } from '#report/admin/take-back.tsx'
import { TakenBack } from '#report/admin/taken-back.tsx'
import { QueueBar } from '#report/admin/queue-bar.tsx'
import { appeals, useQueueNavigation, type OpenedAppeal } from '#report/admin/queue-navigation.ts'
import { decideAppeal, type appealView, type claimAppeal } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Appeal = Output<typeof appealView>
const outcomes = ['restored', 'confirmed'] as const
type Outcome = (typeof outcomes)[number]

export function Page() {
  const words = useWords('reportAdmin')
  const title = usePostTitle()
  const { found } = useLoaderData<OpenedAppeal>()
  const walk = useQueueNavigation(appeals)
  const { id, thing, author, appeal } = found
  const isOpen = appeal.outcome === null
  return (
    <>
      <QueueBar key={id} walk={walk} decides={isOpen && found.mayDecide && mayDo('report.decide')} />
      <div className={css.head}>
        <h1>
          <span className="mark">{title(thing)}</span> <bdi>{thing.title || words('erased')}</bdi>
        </h1>
        {isOpen && found.mayDecide && mayDo('report.decide') && <ClaimNotice removalId={id} claim={found.claim} />}
      </div>
      <div className={css.both}>
        <div>
          <Quote
            by={
              <>
                <MemberLink of={author} /> · <Time at={appeal.at} />
              </>
            }
          >
            {appeal.text}
          </Quote>
          {found.isBack && <p className="note">{words(found.isOnPage ? 'isBack' : 'notOnPage')}</p>}
          <Post thing={thing} author={author} segments={found.segments} publishedAt={found.publishedAt} />
        </div>
        <div>
          <FirstDecision found={found} />
          <TakenBack all={found.takenBack} to="answer" />
          {isOpen ? <AppealForm key={id} found={found} onward={walk.onward} /> : <AppealResult found={found} />}
        </div>
      </div>
    </>
  )
}

function ClaimNotice({ removalId, claim }: { removalId: string; claim: Appeal['claim'] }) {
  const words = useWords('reportAdmin')
  const take = useAction<typeof claimAppeal>('/admin/appeal/claim')
  useShortcuts('reportAdmin.appeal', [{ keys: 'c', label: 'reportAdmin.take', run: () => void (!claim && take.run({ removalId })) }])
  if (claim) return <ClaimMark claim={claim} />
  return (
    <button type="button" className="button quiet" disabled={take.isBusy} onClick={() => void take.run({ removalId })}>
      {words('take')}
    </button>
  )
}

/** The first decision. */
function FirstDecision({ found: { removedBy, removedByMember, removedAt, why, result, decisionRemark, reports } }: { found: Appeal }) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  return (
    <section aria-labelledby="first">
      <h2 id="first">{words('firstDecision')}</h2>
      <p className="meta">
        {removedByMember ? <MemberLink of={removedByMember} /> : removedBy} · <Time at={removedAt} />
      </p>
      <Quote by={words('why')}>{why}</Quote>
      <Quote by={words('result')}>{result}</Quote>
      <Quote by={words('remark')}>{decisionRemark}</Quote>
      <ul>
        {reports.map(({ category, reason }, index) => (
          <li key={index}>
            <bdi>{category[language]}</bdi> {reason && <q>{reason}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function AppealForm({ found, onward }: { found: Appeal; onward: () => void | Promise<void> }) {
  const words = useWords('reportAdmin')
  const { revalidate } = useRevalidator()
  if (!mayDo('report.decide')) return null
  if (!found.mayDecide) return <p className="note">{words('forAnother')}</p>

  function decided(): Promise<void> | void {
    toast(words('answeredNow'))
    return onward()
  }

  return (
    <section className={css.decision} aria-labelledby="decision">
      <h2 id="decision">{words('decideAppeal')}</h2>
      <Form
        endpoint={decideAppeal}
        extra={{ removalId: found.id, version: found.version }}
        onSuccess={decided}
        onRefused={() => void revalidate()}
      >
        <UnsavedGuard />
        <BlockKeysWhileBusy />
        <PostSummary thing={found.thing} />
        <OutcomeChoice />
        <DecisionTextField name="answer" label={words('answer')} help={words('answerHelp')} />
        <DecisionTextField name="remark" label={words('remark')} help={words('remarkHelp')} rows={2} />
        <Submit>{words('decide')}</Submit>
      </Form>
    </section>
  )
}

function OutcomeChoice() {
  const words = useWords('reportAdmin')
  const { clearError } = useForm()
  const place = useRef<HTMLFieldSetElement>(null)
  const [chosen, choose] = useState<Outcome | null>(null)
  const mayRestore = mayDo('content.remove')

  // A key moves the focus to the answer that the author reads.
  function byKey(outcome: Outcome): void {
    clearError('outcome')
    choose(outcome)
    focusDecisionText(place.current?.form)
  }

  useShortcuts('reportAdmin.appeal', [
    { keys: 's', label: 'reportAdmin.restored', run: () => mayRestore && byKey('restored') },
    { keys: 'f', label: 'reportAdmin.confirmed', run: () => byKey('confirmed') },
    { keys: 'Ctrl+Enter', label: 'reportAdmin.decide', run: () => undefined },
  ])
  return (
    <Outcomes ref={place} of={mayRestore ? outcomes : ['confirmed']} chosen={chosen} choose={choose}>
      {!mayRestore && <p className="meta">{words('restoreTakes')}</p>}
    </Outcomes>
  )
}

function AppealResult({ found: { id: removalId, version, appeal, answeredBy, remark, canTakeBack } }: { found: Appeal }) {
  const words = useWords('reportAdmin')
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{words('decision')}</h2>
      <p>
        <strong>{words(appeal.outcome ?? 'pending')}</strong> · {answeredBy} {appeal.answeredAt && <Time at={appeal.answeredAt} />}
      </p>
      <Quote by={words('answer')}>{appeal.answer}</Quote>
      <Quote by={words('remark')}>{remark}</Quote>
      {canTakeBack && <TakeBack decision={{ removalId, version }} what="takeBackAppeal" />}
    </section>
  )
}
