import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from 'react-router'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { BlockKeysWhileBusy, focusDecisionText, DecisionTextField } from '#report/admin/decision-keys.tsx'
import { Outcomes } from '#report/admin/outcomes.tsx'
import { PostSummary } from '#report/admin/post-view.tsx'
import { decideCase, type caseView } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { usePostWord } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Outcome = 'failed' | 'succeeded'

type DecisionProps = { found: Output<typeof caseView>; onward: () => void | Promise<void> }

/** Decides all reports on a post with one form. */
export function Decision({ found, onward }: DecisionProps) {
  const words = useWords('reportAdmin')
  const word = usePostWord()
  const { revalidate } = useRevalidator()
  const { place, outcome, removes, choose, setRemoves, mayRemove } = useChoice(found)

  function decided(): Promise<void> | void {
    toast(words('decidedNow'))
    return onward()
  }

  return (
    <section ref={place} className={css.decision} aria-labelledby="decision">
      <h2 id="decision">{words('decide')}</h2>
      <PostSummary thing={found.thing} />
      <Form
        endpoint={decideCase}
        extra={{ caseId: found.id, version: found.version }}
        onSuccess={decided}
        onRefused={() => void revalidate()}
      >
        <UnsavedGuard />
        <BlockKeysWhileBusy />
        <Outcomes of={['succeeded', 'failed']} chosen={outcome} choose={choose} />
        {outcome === 'succeeded' && mayRemove && (
          <Field
            name="removes"
            type="checkbox"
            label={words('takeAway', { what: word(found.thing) })}
            help={words('removeHelp')}
            checked={removes}
            onChange={(event) => setRemoves(event.currentTarget.checked)}
          />
        )}
        {outcome === 'succeeded' && mayRemove && removes && (
          <DecisionTextField name="why" label={words('why')} help={words('whyHelp')} defaultValue={reasonOf(found.categories)} />
        )}
        <DecisionTextField name="result" label={words('result')} help={words('resultHelp')} />
        <DecisionTextField name="remark" label={words('remark')} help={words('remarkHelp')} rows={2} />
        <Submit>{words('decide')}</Submit>
      </Form>
    </section>
  )
}

/** The chosen outcome, set by pointer or by key. */
function useChoice({ now, outcome: settled }: Output<typeof caseView>) {
  const place = useRef<HTMLElement>(null)
  const [outcome, choose] = useState<Outcome | null>(null)
  const [removes, setRemoves] = useState(false)
  const mayRemove = now.status === 'published' && mayDo('content.remove')

  function byKey(newOutcome: Outcome, goes: boolean): void {
    if (settled !== null) return
    flushSync(() => {
      choose(newOutcome)
      setRemoves(goes && mayRemove)
    })
    focusDecisionText(place.current)
  }

  useShortcuts('reportAdmin.report', [
    { keys: 's', label: 'reportAdmin.succeeded', run: () => byKey('succeeded', false) },
    { keys: 'd', label: 'reportAdmin.succeededAndGone', run: () => byKey('succeeded', true) },
    { keys: 'f', label: 'reportAdmin.failed', run: () => byKey('failed', false) },
    // The form itself handles the key; this entry only lists it in the help.
    { keys: 'Ctrl+Enter', label: 'reportAdmin.decide', run: () => undefined },
  ])
  return { place, outcome, removes, choose, setRemoves, mayRemove }
}

// The author may read either language.
function reasonOf(categories: Output<typeof caseView>['categories']): string {
  return categories.map(({ zh, en }) => (zh === en ? zh : `${zh} · ${en}`)).join('\n')
}
