import { Fragment, useId, useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { joinNames } from '#base/language.ts'
import { AddOrEdit, ActionsHead, EditMenu, Manage, NameFields, type EditFormProps } from '#base/admin/manage.tsx'

import { nameColumn } from '#base/admin/filter-tree.ts'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { rightGroups, rightWord } from '#staff/admin/right-words.ts'
import { mayDo, type StaffRight } from '#staff/admin/staff.tsx'
import type { removeStaffRole, staffRoles } from '#staff/contract.ts'
import { addStaffRole, editStaffRole, staffRights } from '#staff/right-contract.ts'

type Role = Output<typeof staffRoles>['roles'][number]

export function Page() {
  const words = useWords('staffAdmin')
  const say = useTranslate()
  const language = useLanguage()
  const { roles } = useLoaderData<Output<typeof staffRoles>>()
  return (
    <Manage<Role>
      title={words('roles')}
      summary={words('rolesWhat')}
      addLabel={words('addRole')}
      items={roles}
      labelOf={({ name }) => name[language]}
      columns={[
        nameColumn(words('role'), { isSortable: true }),
        {
          label: words('rights'),
          text: (role) =>
            role.isAdministrator
              ? words('everything')
              : joinNames(
                  language,
                  role.rights.map((right) => say(rightWord(right))),
                ),
        },
        { label: words('holders'), text: ({ holders }) => String(holders), isSortable: true },
      ]}
      form={RoleForm}
    >
      {(visible, edit) => <Table roles={visible} edit={edit} />}
    </Manage>
  )
}

function Table({ roles, edit }: { roles: readonly Role[]; edit: (role: Role) => void }) {
  const words = useWords('staffAdmin')
  const say = useTranslate()
  const language = useLanguage()
  const rightsOf = ({ rights }: Role) =>
    joinNames(
      language,
      rights.map((right) => say(rightWord(right))),
    ) || words('nothing')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('role')}</th>
          <th>{words('rights')}</th>
          <th>{words('holders')}</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.id}>
            <td>{role.name[language]}</td>
            <td data-label={words('rights')}>{role.isAdministrator ? words('everything') : rightsOf(role)}</td>
            <td data-label={words('holders')}>{role.holders}</td>
            <td>{!role.isAdministrator && <Actions role={role} edit={() => edit(role)} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('staffAdmin')
  const name = role.name[useLanguage()]
  const remove = useAction<typeof removeStaffRole>('/admin/staffRole/remove')
  return (
    <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => remove.run({ roleId: role.id })}>
      <LogLink about={`staffRole ${role.id}`} />
    </EditMenu>
  )
}

function RoleForm({ item: role, onDone }: EditFormProps<Role>) {
  return (
    <AddOrEdit
      addEndpoint={addStaffRole}
      editEndpoint={editStaffRole}
      editedId={role && { roleId: role.id, version: role.version }}
      onDone={onDone}
    >
      <NameFields name={role?.name} maxLength={30} />
      <Rights given={role?.rights ?? []} />
    </AddOrEdit>
  )
}

/** All rights, grouped like the menu; one checkbox selects a whole group. */
function Rights({ given: first }: { given: readonly string[] }) {
  const words = useWords('staffAdmin')
  const say = useTranslate()
  const help = useId()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(first))

  function give(rights: readonly StaffRight[], isGiven: boolean): void {
    const mine = new Set(rights.filter(mayDo))
    setSelected(new Set(staffRights.filter((right) => (mine.has(right) ? isGiven : selected.has(right)))))
  }

  return rightGroups.map(({ title, rights }) => (
    <CheckboxGroup key={title} legend={words(title)}>
      <label>
        <input
          type="checkbox"
          disabled={!rights.some(mayDo)}
          checked={rights.every((right) => selected.has(right))}
          onChange={({ target }) => give(rights, target.checked)}
        />{' '}
        <strong>{words('allOfThese')}</strong>
      </label>
      {rights.map((right) => (
        <Fragment key={right}>
          <label>
            <input
              type="checkbox"
              name="rights"
              value={right}
              disabled={!mayDo(right)}
              checked={selected.has(right)}
              onChange={({ target }) => give([right], target.checked)}
              aria-describedby={right === 'site.backup' ? help : undefined}
            />{' '}
            {say(rightWord(right))}
          </label>
          {right === 'site.backup' && (
            <p id={help} className="meta">
              {words('backupWhat')}
            </p>
          )}
        </Fragment>
      ))}
    </CheckboxGroup>
  ))
}
