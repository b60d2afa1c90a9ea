import { createBrowserRouter, Navigate, type RouteObject, RouterProvider } from 'react-router-dom'
import { type HeadingHandle, PageLoading } from '#web/features/auth/page-loading.tsx'
import { dropForeignAddresses, isAuthPath } from '#web/features/auth/wanted-path.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppRoot } from './app-root.tsx'
import { loadDataOf, prefetchOnIntent } from './route-data.ts'
import { DASHBOARD_FRAME, DashboardHeading } from './shared/dashboard-heading.tsx'
import { isOtherPage, NEEDS_NO_CLERK } from './shared/paths.ts'

/** A page that shows data: it begins to load beside the page's code. */
function withData(path: string): RouteObject {
  return { path, loader: loadDataOf(path), shouldRevalidate: isOtherPage }
}

const WorkspaceRoot = lazyPart(async () => (await import('./workspace-root.tsx')).WorkspaceRoot)

const DASHBOARD_HANDLE: HeadingHandle = {
  heading: (
    <div className={`${DASHBOARD_FRAME} pb-0!`}>
      <DashboardHeading />
    </div>
  ),
}

/**
 * Everything but the share page, which is a page and a build of its own (`web/share.tsx`). `AppRoot` loads Clerk where
 * it must. No route has an error element: what breaks while a page is drawn reaches our own boundary in the layout, what breaks
 * before that (a route that cannot be loaded) the router's default page.
 */
export const routes: RouteObject[] = [
  {
    Component: AppRoot,
    children: [
      {
        HydrateFallback: PageLoading,
        children: [
          {
            path: '/sign-in/*',
            lazy: async () => ({ Component: (await import('./pages/auth-pages.tsx')).SignInPage }),
          },
          {
            path: '/sign-up/*',
            lazy: async () => ({ Component: (await import('./pages/auth-pages.tsx')).SignUpPage }),
          },
          {
            path: '/sso-callback',
            lazy: async () => ({ Component: (await import('./pages/auth-pages.tsx')).SsoCallbackPage }),
          },
          {
            path: '/test-spinner',
            handle: NEEDS_NO_CLERK,
            lazy: async () => ({ Component: (await import('./pages/test-spinner-page.tsx')).TestSpinnerPage }),
          },
          {
            path: '/my',
            handle: NEEDS_NO_CLERK,
            lazy: async () => ({ Component: (await import('./pages/my/my-page.tsx')).MyPage }),
          },
          {
            Component: WorkspaceRoot,
            children: [
              {
                path: '/upload',
                lazy: async () => ({ Component: (await import('./pages/upload-page.tsx')).UploadPage }),
              },
              {
                lazy: async () => ({
                  Component: (await import('#web/features/auth/require-sign-in.tsx')).RequireSignIn,
                }),
                children: [
                  {
                    ...withData('/dashboard'),
                    handle: DASHBOARD_HANDLE,
                    lazy: async () => ({ Component: (await import('./pages/dashboard-page.tsx')).DashboardPage }),
                  },
                  {
                    path: '/collections',
                    lazy: async () => ({ Component: (await import('./pages/collections-page.tsx')).CollectionsPage }),
                  },
                  {
                    path: '/collections/:collectionId',
                    lazy: async () => ({ Component: (await import('./pages/collection-page.tsx')).CollectionPage }),
                  },
                  {
                    path: '/team',
                    lazy: async () => ({ Component: (await import('./pages/team/team-layout.tsx')).TeamLayout }),
                    children: [
                      { index: true, element: <Navigate to="people" replace /> },
                      {
                        path: 'people',
                        lazy: async () => ({ Component: (await import('./pages/team/people-page.tsx')).PeoplePage }),
                      },
                      {
                        path: 'assignments',
                        lazy: async () => ({
                          Component: (await import('./pages/team/assignments-page.tsx')).AssignmentsPage,
                        }),
                      },
                      {
                        ...withData('/team/matrix'),
                        lazy: async () => ({ Component: (await import('./pages/team/matrix-page.tsx')).MatrixPage }),
                      },
                      {
                        path: 'sign-off/:personId/:moduleId',
                        lazy: async () => ({
                          Component: (await import('./pages/team/sign-off-page.tsx')).SignOffPage,
                        }),
                      },
                      {
                        path: 'records/print',
                        lazy: async () => ({ Component: (await import('./pages/team/proof-page.tsx')).ProofPage }),
                      },
                      {
                        path: 'records',
                        lazy: async () => ({ Component: (await import('./pages/team/records-page.tsx')).RecordsPage }),
                      },
                      {
                        path: 'notifications',
                        lazy: async () => ({
                          Component: (await import('./pages/team/notifications-page.tsx')).NotificationsPage,
                        }),
                      },
                    ],
                  },
                  {
                    path: '/debug',
                    lazy: async () => ({ Component: (await import('./pages/debug-page.tsx')).DebugPage }),
                  },
                  {
                    path: '/account',
                    lazy: async () => ({ Component: (await import('./pages/account-page.tsx')).AccountPage }),
                  },
                  {
                    path: '/invitation',
                    lazy: async () => ({
                      Component: (await import('./invitation/invitation-page.tsx')).InvitationPage,
                    }),
                  },
                  {
                    path: '/training/:moduleId/versions',
                    lazy: async () => ({ Component: (await import('./pages/versions-page.tsx')).VersionsPage }),
                  },
                  {
                    path: '/training/:moduleId/recording',
                    lazy: async () => ({ Component: (await import('./recording/recording-page.tsx')).RecordingPage }),
                  },
                  {
                    ...withData('/training/:moduleId/:section?'),
                    lazy: async () => ({ Component: (await import('./pages/training-page.tsx')).TrainingPage }),
                  },
                  {
                    ...withData('/edit-steps/:moduleId'),
                    lazy: async () => ({ Component: (await import('./pages/edit-steps-page.tsx')).EditStepsPage }),
                  },
                ],
              },
            ],
          },
          {
            path: '*',
            handle: NEEDS_NO_CLERK,
            lazy: async () => ({ Component: (await import('./pages/landing-page.tsx')).LandingPage }),
          },
        ],
      },
    ],
  },
]

export function AppRouter() {
  return <RouterProvider router={browserRouter()} />
}

let router: ReturnType<typeof createBrowserRouter> | undefined

/** One per page load: StrictMode draws twice, and a router listens to the address bar from its creation. */
function browserRouter() {
  if (router === undefined) {
    cleanAddress()
    router = createBrowserRouter(routes)
    prefetchOnIntent(document, routes)
  }
  return router
}

/** Clerk reads the query when its script starts, before any page is drawn; an address that it cannot parse stops it. */
function cleanAddress(): void {
  const { pathname, search, hash } = window.location
  const clean = isAuthPath(pathname) ? dropForeignAddresses(search) : search
  if (clean !== search) window.history.replaceState(null, '', `${pathname}${clean}${hash}`)
}
