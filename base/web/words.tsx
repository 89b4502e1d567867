import { IntlProvider, useTranslations } from 'use-intl/react'
import type { ReactNode } from 'react'

export type Messages = Record<string, Record<string, unknown>>
export type Say = (key: string, values?: Record<string, string | number | Date>) => string

/** The texts of one feature, in the language of the page. */
export function useWords(feature: string): Say {
  return useTranslations(feature)
}

export function Words({ language, messages, children }: { language: 'zh' | 'en'; messages: Messages; children: ReactNode }) {
  return (
    <IntlProvider locale={language} messages={messages as never} timeZone="UTC" onError={tellOfMissing}>
      {children}
    </IntlProvider>
  )
}

function tellOfMissing(error: Error): never {
  throw error
}
