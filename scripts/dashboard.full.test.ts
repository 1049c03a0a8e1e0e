import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  announceValues,
  labelFeeder,
  loadLittle,
  nameUnreadChains,
  pressWithFingers,
  shareRequests,
  showUnknownPath,
  zoomWithFingers,
} from '../dashboard/test/access.ts';
import { enableOnce } from '../dashboard/test/buttons.ts';
import {
  chooseRanges,
  keepChosenZoom,
  linkCharts,
  savePictures,
  showMarks,
} from '../dashboard/test/charts.ts';
import {
  addUpYield,
  compareFlows,
  compareHolders,
  exitForAmount,
} from '../dashboard/test/decide.ts';
import { saveStatement, saveWhatIsShown } from '../dashboard/test/files.ts';
import {
  compareOverview,
  showAlerts,
  showManyFamilies,
  tellTheStory,
} from '../dashboard/test/firstPage.ts';
import { lookAtGrades } from '../dashboard/test/grades.ts';
import { comparePools, followHops } from '../dashboard/test/hops.ts';
import { keepInstantsApart } from '../dashboard/test/instants.ts';
import { followTransactions, pollWithoutFeed } from '../dashboard/test/live.ts';
import { loseAnswer } from '../dashboard/test/lostAnswer.ts';
import { goBack, loseChunk, stayInPlace } from '../dashboard/test/moves.ts';
import { chooseWhileSilent, filterWhileSilent } from '../dashboard/test/previousData.ts';
import { searchEverything, searchOnPhone } from '../dashboard/test/search.ts';
import { addUpWallets } from '../dashboard/test/together.ts';
import { tourWithKeys } from '../dashboard/test/tour.ts';
import { chartWalletValue } from '../dashboard/test/walletValue.ts';
import { lookAtWidths, stickWhileScrolling, WIDE_PAGES } from '../dashboard/test/widths.ts';
import { openChromium } from './chromium.ts';
import { findPool } from './demoBuyer.ts';
import { type RunningDemo, runDemo } from './runDemo.ts';

const PICTURES = fileURLToPath(new URL('../.assay/pictures', import.meta.url));

let browser: Browser;
let demo: RunningDemo;

beforeAll(async () => {
  browser = await openChromium();
  demo = await runDemo();
  await findPool(demo, 'alpha');
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

describe('the dashboard on the demo', () => {
  test('default: each grade has its color, and the free score none', () =>
    lookAtGrades(browser, demo));

  test('behavior: data of an earlier selection keeps its name and cannot be exported as the new one', () =>
    chooseWhileSilent(browser, demo));

  test('behavior: history of earlier filters is not shown under the new ones', () =>
    filterWhileSilent(browser, demo));

  test.each(Object.keys(WIDE_PAGES))(
    'default: %s fits every width, without broken words or hidden cells',
    (name) => lookAtWidths(browser, demo, { name, pictures: PICTURES }),
    300_000,
  );

  test(
    'default: the tab key reaches every control, and a key activates it',
    () => tourWithKeys(browser, demo),
    300_000,
  );

  test('behavior: the header and the first column of a table stick', () =>
    stickWhileScrolling(browser, demo));

  test('default: each card has data of one time, which it shows', () =>
    keepInstantsApart(browser, demo));

  test('default: exports have the selected range and filters, units, and chains', () =>
    saveWhatIsShown(browser, demo));

  test('default: the statement of a year is that of the server', () =>
    saveStatement(browser, demo));

  test('default: a chart is saved as SVG and PNG', () => savePictures(browser, demo));

  test('default: the charts of a family share their crosshair and zoom', () =>
    linkCharts(browser, demo));

  test('default: days to choose, and a benchmark', () => chooseRanges(browser, demo));

  test('behavior: a chosen zoom stays while new data arrives', () => keepChosenZoom(browser, demo));

  test('default: a chart marks reorgs, gaps, and governance changes', () =>
    showMarks(browser, demo));

  test('default: flows are the sums of the history', () => compareFlows(browser, demo));

  test('default: how fast an amount can be redeemed', () => exitForAmount(browser, demo));

  test('default: the yield by source adds up', () => addUpYield(browser, demo));

  test('default: concentration agrees with the holders of that time', () => compareHolders(demo));

  test("default: a wallet's value over time, its result, and recent wallets", () =>
    chartWalletValue(browser, demo));

  test('default: several wallets add up, and a wallet that is missing is named', () =>
    addUpWallets(browser, demo));

  test('default: dependencies of dependencies are bought one by one, on a phone', () =>
    followHops(browser, demo));

  test('default: the grades of two pools side by side', () => comparePools(browser, demo));

  test('default: search finds everything that is free', () => searchEverything(browser, demo));

  test('default: search on a phone', () => searchOnPhone(browser, demo));

  test('default: a chart announces values selected with keys', () => announceValues(browser, demo));

  test('behavior: going back restores the scroll position', () => goBack(browser, demo));

  test('default: nothing shifts while a page loads', () => stayInPlace(browser, demo));

  test('error: an unknown path shows a page', () => showUnknownPath(browser, demo));

  test('default: touch targets are large enough, and every node is visible', () =>
    pressWithFingers(browser, demo));

  test('default: two fingers zoom a chart', () => zoomWithFingers(browser, demo));

  test('error: a charge that is not confirmed is shown, also after a reload', () =>
    loseAnswer(browser, demo));

  test('error: code that cannot be loaded is reported without an import error', () =>
    loseChunk(browser, demo));

  test('behavior: a chain that is not read has the same description everywhere', () =>
    nameUnreadChains(browser, demo));

  test('behavior: parts of a page share a request', () => shareRequests(browser, demo));

  test('default: the first page reads all families at once', () => tellTheStory(browser, demo));

  test('behavior: 60 families need no more requests', () => showManyFamilies(browser, demo));

  test('default: the overview agrees with the API', () => compareOverview(demo), 60_000);

  test('default: alerts and governance changes are those of the API', () =>
    showAlerts(browser, demo));

  test('default: the first page needs little code', () => loadLittle(demo));

  test('behavior: a purchase button is not disabled again by itself', () =>
    enableOnce(browser, demo));

  test(
    'default: new transactions are announced, and a hidden page follows none',
    () => followTransactions(browser, demo),
    300_000,
  );

  test(
    'behavior: without the event feed, a list is read at its interval',
    () => pollWithoutFeed(browser, demo),
    300_000,
  );

  test('behavior: a feeder among the holders is labeled', () => labelFeeder(browser, demo));
});
