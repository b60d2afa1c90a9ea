import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { ShareApp } from './app/share/share-app.tsx'
import { readPageAddress, readPageData } from './app/share/share-store.ts'
import { reloadOnStaleBuild } from './app/stale-build.ts'
import { PageBroken } from './ui/notice.tsx'
import './styles/share.css'

reloadOnStaleBuild(window)

const container = document.getElementById('root')
if (!container) throw new Error('share.html has no #root')
createRoot(container).render(
  <StrictMode>
    <ErrorBoundary fallbackRender={() => <PageBroken />}>
      <ShareApp {...readPageAddress(window.location.pathname)} first={readPageData(document)} />
    </ErrorBoundary>
  </StrictMode>,
)
