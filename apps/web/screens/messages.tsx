import { useLoaderData } from 'react-router'
import type { ListData } from '#apps/web/screens/messages.data.ts'
import { Messages } from '#message/web/messages.tsx'

export function Page() {
  return <Messages {...useLoaderData<ListData>()} />
}
