import { useLocale } from 'use-intl/react'
import type { z } from 'zod'
import { useWords } from '#base/web/words.tsx'
import type { RoleView } from '#role/contract.ts'

/** The roles somebody holds, and until when. */
export function Roles({ roles }: { roles: readonly z.infer<typeof RoleView>[] }) {
  const words = useWords('user')
  const locale = useLocale()
  const language = locale === 'zh' ? 'zh' : 'en'
  return (
    <section>
      <h2>{words('roles')}</h2>
      <ul>
        {roles.map((role) => (
          <li key={role.id}>
            {role.name[language]}{' '}
            <span className="meta">
              {role.endsAt
                ? words('until', { date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(role.endsAt)) })
                : words('forGood')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
