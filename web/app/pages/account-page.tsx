import * as m from '#messages'
import { DownloadData, EraseData } from '#web/features/account/account-data.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'

export function AccountPage() {
  usePageTitle(m.your_data())
  return (
    <div className="mx-auto w-full max-w-2xl flex-1 px-4 py-10 sm:px-6 sm:py-14">
      <h1 className="text-3xl font-semibold">{m.your_data()}</h1>
      <p className="mt-2 text-ink-soft">{m.everything_that_adapt_keeps_of()}</p>
      <div className="mt-8 grid grid-cols-1 gap-6">
        <DownloadData />
        <EraseData />
      </div>
    </div>
  )
}
