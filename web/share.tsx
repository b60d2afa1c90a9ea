import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readPageAddress, readPageData } from './app/share/load-share.ts'
import { ShareApp, ShareErrorBoundary } from './app/share/share-app.tsx'
import { reloadOnStaleBuild } from './app/stale-build.ts'
import './styles/share.css'

reloadOnStaleBuild(window)

const container = document.getElementById('root')
if (!container) throw new Error('share.html has no #root')
createRoot(container).render(
  <StrictMode>
    <ShareErrorBoundary>
      <ShareApp {...readPageAddress(window.location.pathname)} first={readPageData(document)} />
    </ShareErrorBoundary>
  </StrictMode>,
)
