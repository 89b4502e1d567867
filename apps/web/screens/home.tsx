import { useLoaderData } from 'react-router'
import type { HomeData } from '#apps/web/screens/home.data.ts'
import { Page as HomePage } from '#user/web/home-page.tsx'
import { Purse } from '#wallet/web/wallet.tsx'

export function Page() {
  const { wallet } = useLoaderData<HomeData>()
  return <HomePage purse={wallet && <Purse has={wallet} />} />
}
