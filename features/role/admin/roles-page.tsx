import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { RoleForm } from '#role/admin/role-form.tsx'
import type { makeRoleDefault, removeRole, roleList } from '#role/contract.ts'
import css from '#role/admin/role.module.css'

export type Data = Output<typeof roleList>
export type Role = Data['roles'][number]

export function Page() {
  const words = useWords('roleAdmin')
  const language = useLanguage()
  const data = useLoaderData<Data>()
  const [open, setOpen] = useState<Role | 'new' | null>(null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('roles')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('add')}
        </button>
      </div>
      <p className="meta">{words('what')}</p>
      <Table roles={data.roles} edit={setOpen} />
      <Dialog
        title={open === 'new' ? words('add') : words('editOf', { name: open?.name[language] ?? '' })}
        isOpen={open !== null}
        close={() => setOpen(null)}
      >
        {open && <RoleForm role={open === 'new' ? null : open} data={data} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function Table({ roles, edit }: { roles: readonly Role[]; edit: (role: Role) => void }) {
  const words = useWords('roleAdmin')
  const language = useLanguage()
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('role')}</th>
          <th>{words('rights')}</th>
          <th>{words('holders')}</th>
          <th>{words('sort')}</th>
          <th>
            <span className="hidden">{words('deeds')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.id}>
            <td>
              {role.name[language]} {role.isDefault && <span className="mark">{words('default')}</span>}
            </td>
            <td>{words('rightCount', { count: new Set(role.rights.map(({ right }) => right)).size })}</td>
            <td>{role.isDefault ? words('everybody') : role.holders}</td>
            <td>{role.sort}</td>
            <td className={css.deeds}>
              <Deeds role={role} edit={() => edit(role)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Deeds({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('roleAdmin')
  const name = role.name[useLanguage()]
  const remove = useDeed<typeof removeRole>('/admin/role/remove')
  const makeDefault = useDeed<typeof makeRoleDefault>('/admin/role/default')

  async function drop(): Promise<void> {
    if (await confirm(words('removeAsk', { name, count: role.holders }), words('remove')))
      await remove.go({ roleId: role.id, evenIfHeld: true })
  }

  async function give(): Promise<void> {
    if (await confirm(words('defaultAsk', { name }), words('makeDefault'))) await makeDefault.go({ roleId: role.id })
  }

  return (
    <Menu label={words('deedsFor', { name })}>
      <MenuButton onClick={edit}>{words('edit')}</MenuButton>
      {!role.isDefault && <MenuButton onClick={() => void give()}>{words('makeDefault')}</MenuButton>}
      {!role.isDefault && (
        <MenuButton danger onClick={() => void drop()}>
          {words('remove')}
        </MenuButton>
      )}
    </Menu>
  )
}
