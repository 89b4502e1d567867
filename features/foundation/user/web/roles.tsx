import type { z } from 'zod'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { RoleView } from '#role/contract.ts'
import css from '#user/web/roles.module.css'

export function Roles({ roles }: { roles: readonly z.infer<typeof RoleView>[] }) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <section>
      <h2>{words('roles')}</h2>
      <ul className={css.roles}>
        {roles.map((role) => (
          <li key={role.id}>
            <bdi>{role.name[language]}</bdi>
            <span className="meta">
              {role.endsAt
                ? words('until', { date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(role.endsAt)) })
                : words('forGood')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
