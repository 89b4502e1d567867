import { useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { joinNames } from '#base/language.ts'
import { FilterChoice, FilterText } from '#base/admin/filters.tsx'
import { Head } from '#base/admin/head.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { RunningBatches } from '#batch/admin/batch.tsx'
import type { BatchView } from '#batch/contract.ts'
import { useMemberBatch } from '#member/admin/bulk-actions.tsx'
import { OneTimePassword } from '#member/admin/one-time-password.tsx'
import { StateMark } from '#member/admin/state-mark.tsx'
import { addMember, memberList, noteExport } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type Data = Output<typeof memberList>
type Row = Data['rows'][number]

export function Page() {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const { page, atWork } = useLoaderData<{ page: Data; atWork: readonly BatchView[] }>()
  const batch = useMemberBatch(page.roleChoices)
  const [query] = useSearchParams()
  return (
    <>
      <Head title={words('members')}>{mayDo('member.edit') && <AddMember />}</Head>
      <RunningBatches batches={atWork} />
      <StaffList
        of={memberList}
        page={page}
        cells={cellsIn(language)}
        called={nameOf}
        bulkActions={batch}
        exporting={noteExport}
        filterFields={{
          names: false,
          roleId: (
            <FilterChoice name="roleId" label={words('roles')} options={page.roleChoices.map(({ id, name }) => [id, name[language]])} />
          ),
          ...(!query.has('batchId') && { batchId: false }),
          fieldId: page.fields.length > 0 && <FieldFilter fields={page.fields} />,
          answer: false,
        }}
      />
    </>
  )
}

function nameOf({ nickname, account }: Row): string {
  return nickname ?? account
}

function FieldFilter({ fields }: { fields: Data['fields'] }) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const [query] = useSearchParams()
  const [fieldId, choose] = useState(query.get('fieldId'))
  const options = fields.find(({ id }) => id === fieldId)?.options ?? []
  return (
    <>
      <FilterChoice name="fieldId" label={words('field')} onChange={choose} options={fields.map(({ id, name }) => [id, name[language]])} />
      {options.length > 0 ? (
        <FilterChoice key={fieldId} name="answer" label={words('answer')} options={options.map(({ key, name }) => [key, name[language]])} />
      ) : (
        <FilterText key={fieldId} name="answer" label={words('answer')} />
      )}
    </>
  )
}

function cellsIn(language: 'zh' | 'en'): CellsOf<typeof memberList> {
  const posts = (row: Row) => row.topics + row.comments + row.replies
  const names = ({ roles }: Row) => roles.map((role) => role[language])
  return {
    account: { show: (row) => <MemberCell row={row} /> },
    state: { show: ({ state }) => <StateMark state={state} /> },
    roles: { show: (row) => joinNames(language, names(row).map(isolate)), text: (row) => joinNames(language, names(row)) },
    posts: { text: (row) => String(posts(row)) },
  }
}

function MemberCell({ row }: { row: Row }) {
  const words = useWords('memberAdmin')
  return (
    <>
      <Link to={`/admin/member/view?memberId=${row.id}`}>{row.account}</Link>{' '}
      {row.isOfficial && <span className="mark">{words('official')}</span>}
    </>
  )
}

function AddMember() {
  const words = useWords('memberAdmin')
  const go = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [newMember, setNewMember] = useState<Output<typeof addMember> | null>(null)

  function added(answer: Output<typeof addMember>): void {
    setOpen(false)
    setNewMember(answer)
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words('add')}
      </button>
      <Dialog title={words('add')} isOpen={isOpen} close={() => setOpen(false)}>
        <Form endpoint={addMember} onSuccess={added}>
          <Field name="account" label={words('account')} help={words('accountHelp')} autoComplete="off" required data-first />
          <Submit>{words('add')}</Submit>
        </Form>
      </Dialog>
      {newMember && (
        <OneTimePassword password={newMember.password} close={() => void go(`/admin/member/view?memberId=${newMember.memberId}`)} />
      )}
    </>
  )
}
