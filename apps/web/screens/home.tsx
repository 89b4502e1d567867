import { BestActivity, LatestActivity } from '#activity/web/activity.tsx'
import { useLoaderData } from 'react-router'
import type { HomeData } from '#apps/web/screens/home.data.ts'
import { Relation } from '#follow/web/relation.tsx'
import { GiveCard } from '#membership/web/membership.tsx'
import { WriteTo } from '#message/web/message.tsx'
import { GiveEnvelope } from '#red-envelope/web/red-envelope.tsx'
import { Page as HomePage } from '#user/web/home-page.tsx'
import { Purse } from '#wallet/web/wallet.tsx'

export function Page() {
  const { wallet, user, isMe, relation, latest, best } = useLoaderData<HomeData>()
  return (
    <HomePage
      purse={wallet && <Purse has={wallet} />}
      relation={
        <Relation of={user} is={relation}>
          <WriteTo of={user} />
          <GiveCard to={user} />
          <GiveEnvelope to={user} />
        </Relation>
      }
      best={<BestActivity posts={best} />}
      latest={<LatestActivity posts={latest} userId={isMe ? null : user.id} />}
    />
  )
}
