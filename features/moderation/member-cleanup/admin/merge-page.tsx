import { useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { joinNames } from '#base/language.ts'
import { Head } from '#base/admin/head.tsx'
import { ComboboxField } from '#base/admin/combobox-field.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import type { memberView } from '#member/contract.ts'
import { useFindMembers } from '#member-cleanup/admin/find.ts'
import { mergeMembers, type mergeLook } from '#member-cleanup/contract.ts'
import css from '#member-cleanup/admin/cleanings-page.module.css'
import { banLabel } from '#role/all-rights.ts'
import { useSite } from '#setting/web/setting.tsx'

type Member = Output<typeof memberView>
type MergePreview = Output<typeof mergeLook>

/** Merges one member into another: first a preview, then typing the account that closes. */
export function Page() {
  const words = useWords('memberCleanupAdmin')
  const member = useLoaderData<Member>()
  const go = useNavigate()
  const [seen, setSeen] = useState<MergePreview | null>(null)
  const look = usePreview(member.id, setSeen)
  const name = member.nickname ?? member.account
  const find = useFindMembers(({ account }) => account)

  function merged(): void {
    toast(words('merged', { account: member.account }))
    if (seen) void go(`/admin/member/view?memberId=${seen.into.id}`)
  }

  return (
    <>
      <Head title={words('mergeTitle', { name })} />
      <p className="meta">{words('mergeWhat', { name })}</p>
      <section className={css.card}>
        <Form endpoint={mergeMembers} extra={{ memberId: member.id }} onSuccess={merged}>
          <UnsavedGuard />
          <ComboboxField
            name="into"
            label={words('into')}
            placeholder={words('findMember')}
            find={async (typed) => (await find(typed)).filter(({ id }) => id !== member.account)}
            choose={(one) => void look(one?.id ?? null)}
            isRemote
          />
          {seen && (
            <>
              <PreviewText seen={seen} />
              <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required />
              <Field
                name="account"
                label={words('typeAccount', { account: member.account })}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                required
              />
              <Submit danger>{words('mergeInto', { name: seen.into.nickname ?? seen.into.account })}</Submit>
            </>
          )}
        </Form>
      </section>
    </>
  )
}

function usePreview(memberId: string, show: (seen: MergePreview | null) => void) {
  const api = useApi()
  return async (into: string | null) => {
    show(null)
    if (into === null) return
    try {
      show(await api.read<typeof mergeLook>('/admin/member/mergeLook', { memberId, into }))
    } catch (error) {
      // The call has reported the error.
      if (!(error instanceof CallFailed)) throw error
    }
  }
}

function PreviewText({ seen: { into, posts, waiting, notes, reports, bans, drafts, roles } }: { seen: MergePreview }) {
  const words = useWords('memberCleanupAdmin')
  const ofMembers = useWords('memberAdmin')
  const translate = useTranslate()
  const language = useLanguage()
  const { allowCash } = useSite()
  const name = into.nickname ?? into.account
  return (
    <div role="status">
      <h2>{words('goesOver', { name, count: into.posts })}</h2>
      <ul>
        <li>{words('overPosts', { count: posts })}</li>
        <li>{words('overWaiting', { count: waiting })}</li>
        <li>{words('overReports', { count: reports })}</li>
        <li>{words('overNotes', { count: notes })}</li>
        <li>{words('overWaysIn', { name })}</li>
        {bans.map(({ from, endsAt }) => (
          <li key={from}>
            {words('overBan', { what: translate(banLabel(from), { allowCash: String(allowCash) }) })}{' '}
            {endsAt ? <Time at={endsAt} /> : ofMembers('forGood')}
          </li>
        ))}
        {bans.length === 0 && <li>{words('overNoBans')}</li>}
      </ul>
      <h2>{words('endsWithIt')}</h2>
      <ul>
        <li>{words('endsDrafts', { count: drafts })}</li>
        <li>
          {roles.length === 0
            ? words('endsNoRoles')
            : words('endsRoles', {
                roles: joinNames(
                  language,
                  roles.map((one) => one[language]),
                ),
              })}
        </li>
        <li>{words('endsSessions')}</li>
      </ul>
    </div>
  )
}
