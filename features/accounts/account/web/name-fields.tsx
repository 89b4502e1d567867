import { useEffect, useRef, useState, type RefObject } from 'react'
import { accountName, type suggestAccount } from '#account/contract.ts'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Field } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/**
 * The login name and the nickname. A nickname typed in the field of the account is noticed; a name from elsewhere suggests both. The field
 * of a generated account may stay empty.
 */
export function NameFields({ suggestion = '', isGenerated = false }: { suggestion?: string; isGenerated?: boolean }) {
  const words = useWords('account')
  const api = useApi()
  const [typed, setTyped] = useState('')
  const account = useRef<HTMLInputElement>(null)
  const nickname = useRef<HTMLInputElement>(null)
  useSuggestedAccount(account, suggestion)

  async function suggest(): Promise<void> {
    const name = typed.trim()
    fill(account.current, await accountFor(api, name))
    fill(nickname.current, name)
    account.current?.select()
  }

  return (
    <>
      <Field
        ref={account}
        name="account"
        label={words(isGenerated ? 'accountOptional' : 'account')}
        rule={{ text: words(isGenerated ? 'accountOptionalHelp' : 'accountHelp'), isMet: accountName.safeParse(typed).success }}
        after={
          /[^\p{ASCII}]/u.test(typed) && (
            <p className="note" role="status">
              {words('isNickname')}{' '}
              <button type="button" className="button quiet" onClick={() => void suggest()}>
                {words('makeAccount')}
              </button>
            </p>
          )
        }
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
      />
      <Field
        ref={nickname}
        name="nickname"
        label={words('nickname')}
        help={words('nicknameHelp')}
        defaultValue={suggestion.slice(0, 15)}
        maxLength={15}
        autoComplete="nickname"
      />
    </>
  )
}

/** Suggests a login name that sounds like the nickname, until the field is typed in. */
function useSuggestedAccount(account: RefObject<HTMLInputElement | null>, called: string): void {
  const api = useApi()
  useEffect(() => {
    if (!called) return
    void accountFor(api, called).then(
      (suggestion) => account.current?.value === '' && fill(account.current, suggestion),
      () => undefined, // the visitor types one
    )
  }, [api, account, called])
}

async function accountFor(api: Api, nickname: string): Promise<string> {
  return (await api.read<typeof suggestAccount>('/account/suggestName', { nickname: nickname.slice(0, 15) }, { silent: true })).account
}

// Fires an input event, so that earlier errors of the field are cleared.
function fill(input: HTMLInputElement | null, text: string): void {
  if (!input) return
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
