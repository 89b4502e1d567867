import { useEffect, useState } from 'react'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import { Form, Submit, useForm } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { setMemberRoles, type Member } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#member/admin/member.module.css'

export function Roles({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  if (!mayDo('role.manage') || member.isOfficial)
    return (
      <>
        <h2>{words('roles')}</h2>
        {member.heldRoles.length === 0 && <p className="empty">{words('noRoles')}</p>}
        <ul className={css.rows}>
          {member.heldRoles.map((role) => (
            <li key={role.id}>
              <bdi>{role.name[language]}</bdi> <span className="meta">{role.endsAt ? <Time at={role.endsAt} /> : words('forGood')}</span>
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <>
      <h2>{words('roles')}</h2>
      <VersionedForm key={member.id} item={{ ...member, version: member.rolesVersion }} staysOpen>
        {(now) => (
          <Form endpoint={setMemberRoles} extra={{ memberId: now.id, version: now.version }} onSuccess={() => void toast(words('saved'))}>
            <UnsavedGuard />
            <Choices member={now} />
            <Submit>{words('save')}</Submit>
          </Form>
        )}
      </VersionedForm>
    </>
  )
}

type RoleEnds = Record<string, string | null>

/** Each role with the day on whose evening it ends; without a day it is permanent. */
function Choices({ member }: { member: Pick<Member, 'heldRoles' | 'roleChoices'> }) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const { setValue, clearError } = useForm()
  const [roleEnds, setRoleEnds] = useState<RoleEnds>(() => Object.fromEntries(member.heldRoles.map(({ id, endsAt }) => [id, endsAt])))
  useEffect(() => {
    setValue(
      'roles',
      Object.entries(roleEnds).map(([roleId, endsAt]) => ({ roleId, endsAt })),
    )
  }, [roleEnds, setValue])

  function tick(roleId: string): void {
    const { [roleId]: was, ...others } = roleEnds
    setRoleEnds(was === undefined ? { ...roleEnds, [roleId]: null } : others)
  }

  function end(roleId: string, day: string): void {
    clearError(`roles_${roleId}`)
    setRoleEnds({ ...roleEnds, [roleId]: eveningOf(day) })
  }

  return (
    <fieldset className={css.ticks}>
      <legend className="hidden">{words('roles')}</legend>
      {member.roleChoices.map(({ id, name }) => (
        <div key={id} className={css.choice}>
          <label>
            <input type="checkbox" checked={roleEnds[id] !== undefined} onChange={() => tick(id)} /> <bdi>{name[language]}</bdi>
          </label>
          {roleEnds[id] !== undefined && <EndsOn name={`roles_${id}`} day={dayOf(roleEnds[id])} choose={(day) => end(id, day)} />}
        </div>
      ))}
    </fieldset>
  )
}

function EndsOn({ name, day, choose }: { name: string; day: string; choose: (day: string) => void }) {
  const words = useWords('memberAdmin')
  const wrong = useForm().errors[name]
  const [today] = useState(() => dayOf(new Date(siteTime()).toISOString()))
  return (
    <>
      <label>
        <span className="meta">{words('endsOn')}</span>
        <input
          type="date"
          min={today}
          value={day}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${name}-wrong`}
          onChange={({ target }) => choose(target.value)}
        />
      </label>
      {wrong && (
        <p id={`${name}-wrong`} className="wrong" role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}

function eveningOf(day: string): string | null {
  return day ? new Date(`${day}T23:59:59`).toISOString() : null
}

function dayOf(moment: string | null): string {
  if (!moment) return ''
  const date = new Date(moment)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
