import { useEffect, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { beginWay, listProviders, ProviderView } from '#identity/contract.ts'
import { storeReturnPath } from '#identity/web/pending-identity.ts'
import css from '#identity/web/identity.module.css'

/** The other login methods, below the form. Nothing where there are none. */
export function OtherLoginMethods({ jumpUrl }: { jumpUrl: string }) {
  const api = useApi()
  const words = useWords('identity')
  const [providers, setProviders] = useState<readonly ProviderView[]>([])
  useEffect(() => {
    void api.read<typeof listProviders>('/queryThirdPartyLogin', {}, { silent: true }).then(
      (answer) => setProviders(answer.providers),
      () => undefined, // the form above is still there
    )
  }, [api])
  if (providers.length === 0) return null
  return (
    <section className={`narrow ${css.ways}`} aria-labelledby="other-ways">
      <h2 id="other-ways">{words('or')}</h2>
      <ul>
        {providers.map((provider) => (
          <li key={provider.id}>
            <ProviderButton provider={provider} jumpUrl={jumpUrl} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProviderButton({ provider, jumpUrl }: { provider: ProviderView; jumpUrl: string }) {
  const language = useLanguage()
  const { isBusy, go } = useProviderLogin(provider)
  return (
    <button type="button" className="button quiet" disabled={isBusy} onClick={() => void go(false, jumpUrl)}>
      {provider.name[language]}
    </button>
  )
}

/** Sends the browser to a provider, to log in or to link an identity. */
export function useProviderLogin({ id }: ProviderView) {
  const begin = useAction<typeof beginWay>('/thirdParty/loginLink')
  return {
    isBusy: begin.isBusy,
    go: (links: boolean, jumpUrl: string | null) =>
      begin.run(
        { providerId: id, links, ...(jumpUrl && { jumpUrl }) },
        {
          onSuccess: ({ redirectUrl }) => {
            storeReturnPath(links ? '/user/control/signInMethods' : `/login?jumpUrl=${jumpUrl ?? ''}`)
            location.assign(redirectUrl)
          },
        },
      ),
  }
}
