import { useLoaderData, useNavigate } from 'react-router'
import { Combobox } from '#base/admin/combobox.tsx'
import { List } from '#base/admin/list.tsx'
import { useDeclaredColumns, type CellsOf } from '#base/admin/staff-list.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import type { memberView } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { useFindMembers } from '#member-cleanup/admin/find.ts'
import { clean, cleanings, undoDays, type cleanLook, type undoCleaning } from '#member-cleanup/contract.ts'
import css from '#member-cleanup/admin/cleanings-page.module.css'

type CleanupList = Output<typeof cleanings>
type Row = CleanupList['rows'][number]
type Member = Output<typeof memberView>
type CleanPreview = Output<typeof cleanLook>

export function Page() {
  const words = useWords('memberCleanupAdmin')
  const { page, member, takes } = useLoaderData<{ page: CleanupList; member: Member | null; takes: CleanPreview | null }>()
  return (
    <>
      <h1>{words('cleanings')}</h1>
      <p className="meta">{words('what', { days: undoDays })}</p>
      {member && takes ? <Cleaning key={member.id} member={member} takes={takes} /> : mayDo('member.clean') && <StartForm />}
      {member && page.rows.length === 0 ? <Empty>{words('neverCleaned')}</Empty> : <CleanupTable page={page} />}
    </>
  )
}

function CleanupTable({ page }: { page: CleanupList }) {
  return <List of={cleanings} page={page} columns={useDeclaredColumns(cleanings, cellsIn(useWords('memberCleanupAdmin')))} />
}

function cellsIn(words: Translate): CellsOf<typeof cleanings> {
  return {
    account: { show: ({ memberId, account }) => <Link to={`/admin/member/view?memberId=${memberId}`}>{account}</Link> },
    status: { show: ({ status, removed, restored }) => words(status, { removed, restored }), text: ({ status }) => status },
    undo: { show: (row) => <Undo row={row} /> },
  }
}

function Undo({ row: { id, undoUntil, removed } }: { row: Row }) {
  const words = useWords('memberCleanupAdmin')
  const undo = useAction<typeof undoCleaning>('/admin/cleaning/undo')
  if (!undoUntil || !mayDo('member.clean')) return null

  async function bringBack(): Promise<void> {
    if (!(await confirm(words('undoAsk', { count: removed }), words('undo')))) return
    const progress = await undo.run({ cleaningId: id })
    if (progress) toast(words(progress.status, progress))
  }

  return (
    <button type="button" className="button quiet" disabled={undo.isBusy} onClick={() => void bringBack()}>
      {words('undo')}
    </button>
  )
}

/** Chooses the member whose posts are removed, where none was named yet. */
function StartForm() {
  const words = useWords('memberCleanupAdmin')
  const go = useNavigate()
  const find = useFindMembers(({ id }) => id)
  return (
    <section className={css.card}>
      <label htmlFor="whom">{words('whom')}</label>
      <Combobox
        name="memberId"
        control={{ id: 'whom' }}
        placeholder={words('findMember')}
        find={find}
        choose={(one) => one && void go(`/admin/cleaning?memberId=${one.id}`)}
        isRemote
      />
    </section>
  )
}

function Cleaning({ member: { id: memberId, ...member }, takes }: { member: Member; takes: CleanPreview }) {
  const words = useWords('memberCleanupAdmin')
  if (member.isOfficial) return <p className="note">{words('official')}</p>
  return (
    <section className={css.card}>
      <h2>{words('cleanTitle', { name: member.nickname ?? member.account })}</h2>
      <p>{words('cleanWhat', takes)}</p>
      {takes.waiting + takes.rejected > 0 && <p>{words('cleanUnseen', takes)}</p>}
      {takes.reported > 0 && <p>{words('cleanReported', takes)}</p>}
      <Form endpoint={clean} extra={{ memberId }} onSuccess={(progress) => void toast(words(progress.status, progress))} resetsOnSuccess>
        <UnsavedGuard />
        <SelectField name="andThen" label={words('andThen')}>
          {mayDo('member.ban') && <option value="disable">{words('thenDisable')}</option>}
          {mayDo('member.ban') && <option value="ban">{words('thenBan')}</option>}
          <option value="nothing">{words('thenNothing')}</option>
        </SelectField>
        <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={500} rows={2} required />
        <Submit danger>{words('clean')}</Submit>
      </Form>
    </section>
  )
}
