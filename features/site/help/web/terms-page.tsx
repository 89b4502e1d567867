import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Html } from '#base/web/html.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { termsOfService } from '#help/contract.ts'

type TermsData = Output<typeof termsOfService>

export function Page() {
  const terms = useLoaderData<{ zh: TermsData; en: TermsData }>()
  const words = useWords('site')
  const { segments } = terms[useLanguage()]
  return (
    <section className="column">
      <h1 className="hidden">{words('terms')}</h1>
      {segments.map((segment, index) => (
        <Html key={index} html={segment.html} className="prose" />
      ))}
    </section>
  )
}
