// Begins Clerk's script on the pages that wait for it, while the app, which would ask for it, is still on its way.
{
  const { pages, script } = document.currentScript.dataset
  if (pages.split(' ').includes(location.pathname.split('/')[1])) {
    const clerk = document.createElement('script')
    clerk.src = script
    clerk.async = true
    clerk.crossOrigin = 'anonymous'
    // By this name Clerk's React package finds it; where it has failed, the package asks once more.
    clerk.dataset.clerkJsScript = ''
    document.head.append(clerk)
  }
}
