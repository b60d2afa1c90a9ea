import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Module } from '#contract/module.ts'
import { FeedbackStatsCard } from '#web/features/feedback/feedback-stats-card.tsx'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { EmptyLibrary } from '#web/features/module/empty-library.tsx'
import { ModuleLibrary } from '#web/features/module/module-library.tsx'
import { RecentlyDeleted } from '#web/features/module/recently-deleted.tsx'
import { ShareDialog } from '#web/features/share/share-dialog.tsx'
import { SampleButton } from '#web/features/upload/sample-button.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'

export function DashboardPage() {
  const navigate = useNavigate()
  const [toShare, setToShare] = useState<Module | null>(null)
  usePageTitle('Dashboard')
  return (
    <>
      <OfflineBanner />
      <div className="mx-auto w-full max-w-7xl flex-1 px-4 py-10 sm:px-6 sm:py-14">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          <div>
            <h1 className="text-3xl font-semibold">Training Dashboard</h1>
            <p className="mt-2 text-ink-soft">Your modules, and how far each of them is.</p>
          </div>
          {/* Comes late, so it stands where nothing else has to move. */}
          <div className="flex items-center gap-2 sm:flex-row-reverse">
            <ButtonLink to="/upload">
              <Plus aria-hidden="true" className="size-4" />
              Upload New Module
            </ButtonLink>
            <RecentlyDeleted />
          </div>
        </div>
        <FeedbackStatsCard className="mb-8" />
        <ModuleLibrary
          empty={<EmptyLibrary trySample={<SampleButton onSending={() => navigate('/upload')} />} />}
          onShare={setToShare}
        />
        <ShareDialog module={toShare} onClose={() => setToShare(null)} />
      </div>
    </>
  )
}
