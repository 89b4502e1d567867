import { useState, type ReactNode } from 'react'
import type { SelectedRows } from '#base/admin/selection.ts'
import { Form, LabelledControl, Submit, TextField, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { AboutBatch, Batch, type Finish, type BulkAction } from '#batch/admin/batch.tsx'
import { BanFields } from '#member/admin/bans.tsx'
import { DurationField } from '#member/admin/duration-field.tsx'
import type { memberList } from '#member/contract.ts'
import { banMany, disableMany, enableMany, endSessionsOfMany, giveRoleToMany, takeRoleFromMany } from '#member/many-contract.ts'
import type { Output } from '#base/contract.ts'
import { mayDo, type StaffRight } from '#staff/admin/staff.tsx'

type Data = Output<typeof memberList>
type Row = Data['rows'][number]
type Action = 'giveRole' | 'takeRole' | 'ban' | 'disable' | 'enable' | 'endSessions'

const calls = {
  giveRole: giveRoleToMany,
  takeRole: takeRoleFromMany,
  ban: banMany,
  disable: disableMany,
  enable: enableMany,
  endSessions: endSessionsOfMany,
} as const

const rights: Record<Action, StaffRight> = {
  giveRole: 'role.manage',
  takeRole: 'role.manage',
  ban: 'member.ban',
  disable: 'member.ban',
  enable: 'member.ban',
  endSessions: 'member.access',
}

const actions = Object.keys(rights) as Action[]

/** The bulk actions above the list of members; nothing without any right to them. */
export function useMemberBatch(roles: Data['roleChoices']) {
  const words = useWords('memberAdmin')
  const offers = actions
    .filter((action) => mayDo(rights[action]))
    .map((action): BulkAction<Row> => ({
      name: action,
      label: words(`many${action}`),
      form: (chosen, finish) => <MemberForm action={action} roles={roles} chosen={chosen} finish={finish} />,
    }))
  if (offers.length === 0) return undefined
  return (chosen: SelectedRows<Row>, done: () => void) => <Batch offers={offers} chosen={chosen} onDone={done} />
}

type MemberFormProps = { action: Action; roles: Data['roleChoices']; chosen: SelectedRows<Row>; finish: Finish }

function MemberForm({ action, roles, chosen, finish }: MemberFormProps) {
  const words = useWords('memberAdmin')
  return (
    <Form endpoint={calls[action]} extra={chosen.which} onSuccess={finish}>
      <p>{words(`many${action}What`)}</p>
      <ActionFields action={action} roles={roles} />
      <AboutBatch chosen={chosen} isFinal={action === 'endSessions'} />
      <Submit danger={action === 'ban' || action === 'disable' || action === 'endSessions'}>{words(`many${action}`)}</Submit>
    </Form>
  )
}

/** The fields that an action needs beside its members. */
function ActionFields({ action, roles }: Pick<MemberFormProps, 'action' | 'roles'>): ReactNode {
  const words = useWords('memberAdmin')
  if (action === 'giveRole')
    return (
      <>
        <RoleChoice roles={roles} />
        <DurationField />
      </>
    )
  if (action === 'takeRole') return <RoleChoice roles={roles} />
  if (action === 'ban') return <BanFields />
  if (action === 'disable') return <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} required data-first />
  return null
}

function RoleChoice({ roles }: Pick<MemberFormProps, 'roles'>) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const { setValue, clearError } = useForm()
  const [chosen, setChosen] = useState('')

  function choose(roleId: string): void {
    setChosen(roleId)
    clearError('roleId')
    setValue('roleId', roleId || undefined)
  }

  return (
    <LabelledControl name="roleId" label={words('role')}>
      {(control) => (
        <select {...control} required value={chosen} data-first onChange={({ target }) => choose(target.value)}>
          <option value="">{words('chooseRole')}</option>
          {roles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  )
}
