import { Fragment, useId } from 'react'
import { useLoaderData } from 'react-router'
import { AddOrEdit, DeedsHead, EditMenu, Manage, NameFields, type Edited } from '#base/admin/manage.tsx'
import { rightWord } from '#base/admin/right-word.ts'
import { Ticks } from '#base/admin/ticks.tsx'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { addStaffRole, editStaffRole, staffRights, type removeStaffRole, type staffRoles } from '#staff/contract.ts'

type Role = Output<typeof staffRoles>['roles'][number]

export function Page() {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  const { roles } = useLoaderData<Output<typeof staffRoles>>()
  return (
    <Manage<Role>
      title={words('roles')}
      what={words('rolesWhat')}
      add={words('addRole')}
      things={roles}
      called={({ name }) => name[language]}
      form={RoleForm}
    >
      {(edit) => <Table roles={roles} edit={edit} />}
    </Manage>
  )
}

function Table({ roles, edit }: { roles: Role[]; edit: (role: Role) => void }) {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  const rightsOf = ({ rights }: Role) => rights.map((right) => words(rightWord(right))).join(', ') || words('nothing')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('role')}</th>
          <th>{words('rights')}</th>
          <th>{words('holders')}</th>
          <DeedsHead />
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.id}>
            <td>{role.name[language]}</td>
            <td data-label={words('rights')}>{role.isAdministrator ? words('everything') : rightsOf(role)}</td>
            <td data-label={words('holders')}>{role.holders}</td>
            <td>{!role.isAdministrator && <Deeds role={role} edit={() => edit(role)} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Deeds({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('staffAdmin')
  const name = role.name[useLanguage()]
  const remove = useDeed<typeof removeStaffRole>('/admin/staffRole/remove')
  return <EditMenu name={name} edit={edit} asks={words('removeAsk', { name })} remove={() => remove.go({ roleId: role.id })} />
}

function RoleForm({ thing: role, done }: Edited<Role>) {
  const words = useWords('staffAdmin')
  const help = useId()
  return (
    <AddOrEdit adds={addStaffRole} edits={editStaffRole} one={role && { roleId: role.id, version: role.version }} done={done}>
      <NameFields name={role?.name} maxLength={30} />
      <Ticks legend={words('rights')}>
        {staffRights.map((right) => (
          <Fragment key={right}>
            <label>
              <input
                type="checkbox"
                name="rights"
                value={right}
                disabled={!mayDo(right)}
                defaultChecked={role?.rights.includes(right)}
                aria-describedby={right === 'site.backup' ? help : undefined}
              />{' '}
              {words(rightWord(right))}
            </label>
            {right === 'site.backup' && (
              <p id={help} className="meta">
                {words('backupWhat')}
              </p>
            )}
          </Fragment>
        ))}
      </Ticks>
    </AddOrEdit>
  )
}
