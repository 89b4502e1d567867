import { useLoaderData } from 'react-router'
import type { SelectedRows } from '#base/admin/selection.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { AboutBatch, Batch, type Finish, type BulkAction } from '#batch/admin/batch.tsx'
import { approveJoining, joiningList, refuseJoining } from '#member/joining-contract.ts'

type Data = Output<typeof joiningList>
type Row = Data['rows'][number]

/** Registrations that wait for approval, with their answers. */
export function Page() {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('joining')}</h1>
      <p className="meta">{words('joiningWhat')}</p>
      <StaffList
        of={joiningList}
        page={page}
        cells={cellsIn(words, language)}
        called={({ account }) => account}
        bulkActions={batch}
        requiresReading
      />
    </>
  )
}

function cellsIn(words: Translate, language: 'zh' | 'en'): CellsOf<typeof joiningList> {
  const answerLines = ({ answers }: Row) =>
    answers.map((one) => `${one.name[language]}: ${one.said.map((its) => its[language]).join(', ')}`)
  return {
    account: { show: ({ id, account }) => <Link to={`/admin/member/view?memberId=${id}`}>{account}</Link> },
    answers: {
      show: (row) => answerLines(row).map((line) => <p key={line}>{line}</p>),
      text: (row) => answerLines(row).join('; '),
    },
    state: {
      show: ({ state, reason, decided }) => (
        <>
          {words(`joining${state}`)} {decided?.by}
          {reason && <p className="meta">{reason}</p>}
        </>
      ),
      text: ({ state, reason }) => [words(`joining${state}`), reason].filter(Boolean).join(': '),
    },
  }
}

function batch(chosen: SelectedRows<Row>, done: () => void) {
  return <DecisionButtons chosen={chosen} onDone={done} />
}

function approving(chosen: SelectedRows<Row>, finish: Finish) {
  return <Approve chosen={chosen} finish={finish} />
}

function refusing(chosen: SelectedRows<Row>, finish: Finish) {
  return <Refuse chosen={chosen} finish={finish} />
}

/** The actions on the selected registrations; approved ones are only shown. */
function DecisionButtons({ chosen, onDone }: { chosen: SelectedRows<Row>; onDone: () => void }) {
  const words = useWords('memberAdmin')
  const isOpen = chosen.rows.every(({ state }) => state !== 'approved')
  if (!isOpen) return null
  const isUndecided = chosen.rows.every(({ state }) => state === 'waiting')
  const approve: BulkAction<Row> = { name: 'approve', label: words('approve'), form: approving }
  const refuse: BulkAction<Row> = { name: 'refuse', label: words('refuse'), form: refusing }
  const offers = isUndecided ? [approve, refuse] : [approve]
  return <Batch offers={offers} chosen={chosen} onDone={onDone} />
}

type ActionProps = { chosen: SelectedRows<Row>; finish: Finish }

function Approve({ chosen, finish }: ActionProps) {
  const words = useWords('memberAdmin')
  return (
    <Form endpoint={approveJoining} extra={chosen.which} onSuccess={finish}>
      <p>{words('approveWhat')}</p>
      <AboutBatch chosen={chosen} />
      <Submit>{words('approve')}</Submit>
    </Form>
  )
}

function Refuse({ chosen, finish }: ActionProps) {
  const words = useWords('memberAdmin')
  return (
    <Form endpoint={refuseJoining} extra={chosen.which} onSuccess={finish}>
      <p>{words('refuseWhat')}</p>
      <TextField name="reason" label={words('reasonForThem')} maxLength={500} rows={3} required data-first />
      <AboutBatch chosen={chosen} />
      <Submit danger>{words('refuse')}</Submit>
    </Form>
  )
}
