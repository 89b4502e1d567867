import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { dismissHint, hintDays, hints, type HintView } from '#collusion/contract.ts'
import { Flows, patternIn, People, Reasons } from '#collusion/admin/reasons.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#collusion/admin/hints-page.module.css'

export function Page() {
  const words = useWords('collusionAdmin')
  const page = useLoaderData<Output<typeof hints>>()
  const [dismissing, dismiss] = useState<HintView | null>(null)
  return (
    <>
      <h1>{words('hints')}</h1>
      <p className="meta">{words('hintsWhat', { days: hintDays })}</p>
      <StaffList of={hints} page={page} cells={hintCells(words, dismiss)} people={page.rows.flatMap(({ members }) => members)} />
      <Dialog title={words('dismissTitle')} isOpen={dismissing !== null} close={() => dismiss(null)}>
        {dismissing && <DismissForm hint={dismissing} onDone={() => dismiss(null)} />}
      </Dialog>
    </>
  )
}

function hintCells(words: Translate, dismiss: (hint: HintView) => void): CellsOf<typeof hints> {
  return {
    members: { show: ({ members }) => <People members={members} />, text: ({ members }) => members.map(({ name }) => name).join(', ') },
    patterns: {
      show: (hint) => <Reasons hint={hint} />,
      text: ({ patterns, members }) => patterns.map((pattern) => patternIn(words, pattern, members.length)).join(', '),
    },
    flows: { show: (hint) => <Flows hint={hint} /> },
    state: { show: (hint) => <State hint={hint} dismiss={() => dismiss(hint)} /> },
  }
}

function State({ hint: { dismissed, isOfMe }, dismiss }: { hint: HintView; dismiss: () => void }) {
  const words = useWords('collusionAdmin')
  const isOpen = !dismissed || dismissed.returnedAt !== null
  return (
    <div className={css.state}>
      {dismissed && (
        <p>
          {words(isOpen ? 'returned' : 'dismissedBy', { name: dismissed.by })} <Time at={dismissed.at} />
          <q className="meta">{dismissed.reason}</q>
        </p>
      )}
      {isOpen && mayDo('wallet.adjust') && !isOfMe && (
        <button type="button" className="button quiet" onClick={dismiss}>
          {words('dismiss')}
        </button>
      )}
    </div>
  )
}

function DismissForm({ hint: { id, updatedAt }, onDone }: { hint: HintView; onDone: () => void }) {
  const words = useWords('collusionAdmin')
  return (
    <Form
      endpoint={dismissHint}
      extra={{ hintId: id, updatedAt }}
      onSuccess={() => {
        onDone()
        toast(words('dismissed'))
      }}
    >
      <p className="meta">{words('dismissWhat')}</p>
      <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required data-first />
      <Submit>{words('dismiss')}</Submit>
    </Form>
  )
}
