import { expect, test } from "vitest";
import { junitReport } from "../../../../generators/cli/print/junit.js";

test("a report has the counts of each suite, and failures with their first line as title", () => {
  const cases = [
    { name: "one", classname: "Plan", seconds: 0.25 },
    { name: "two", classname: "Plan", failure: "3 differences\nin a place" },
    { name: "three", classname: "Plan", skipped: "unsupported" },
  ];
  expect(junitReport([{ name: "v1", cases }])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="1" time="0.250">
  <testsuite name="v1" tests="3" failures="1" errors="0" skipped="1" time="0.250">
    <testcase name="one" classname="Plan" time="0.250"/>
    <testcase name="two" classname="Plan" time="0.000">
      <failure message="3 differences">3 differences
in a place</failure>
    </testcase>
    <testcase name="three" classname="Plan" time="0.000">
      <skipped message="unsupported"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test("texts of a report cannot break its XML", () => {
  const cases = [{ name: `<a b="&">`, classname: "\0\x1b\ud800😀", failure: "]]>\uffff" }];
  const report = junitReport([{ name: "x", cases }]);
  expect(report).toContain('name="&lt;a b=&quot;&amp;&quot;&gt;" classname="\ufffd\ufffd\ufffd😀"');
  expect(report).toContain('<failure message="]]&gt;\ufffd">]]&gt;\ufffd</failure>');
});
